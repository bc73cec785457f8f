"""The pages of the ledger."""

from django.urls import path

from clients.ledger import views

urlpatterns = [
    path("transactions/", views.transactions, name="transactions"),
    path("transactions/export.csv", views.export, name="transactions_export"),
    path("clients/<uuid:client_id>/transactions/", views.client_transactions, name="client_transactions"),
]
