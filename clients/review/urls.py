"""The page of a document, and what is done on it."""

from django.urls import path

from clients.review import views

urlpatterns = [
    path("documents/<uuid:document_id>/", views.document, name="document"),
    path("documents/<uuid:document_id>/decide/", views.decide, name="document_decide"),
    path("documents/<uuid:document_id>/approve/", views.approve, name="document_approve"),
    path("documents/<uuid:document_id>/reverse/", views.reverse, name="document_reverse"),
]
