"""The addresses of version 1."""

from django.urls import path

from research.api import views

app_name = "api"
urlpatterns = [
    path("questions/", views.Questions.as_view(), name="questions"),
    path("questions/<uuid:question_id>/", views.OneQuestion.as_view(), name="question"),
    path("quote-check/", views.QuoteCheck.as_view(), name="quote_check"),
    path("status/", views.Status.as_view(), name="status"),
    path("<path:anything>", views.Nothing.as_view(), name="nothing"),
]
