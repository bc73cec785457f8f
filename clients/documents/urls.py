"""The pages of documents as they come in."""

from django.urls import path

from clients.documents import views

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents/<uuid:document_id>/pages/<int:number>.png", views.document_page, name="document_page"),
    path("documents/<uuid:document_id>/original/", views.document_original, name="document_original"),
    path("documents/<uuid:document_id>/read-again/", views.document_read_again, name="document_read_again"),
    path("documents/<uuid:document_id>/keep/", views.document_keep, name="document_keep"),
    path("clients/<uuid:client_id>/documents/", views.client_documents, name="client_documents"),
    path("clients/<uuid:client_id>/documents/upload/", views.document_upload, name="document_upload"),
    path("clients/<uuid:client_id>/files/", views.client_files, name="client_files"),
]
