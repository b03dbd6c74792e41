"""The routes of uploads below /admin."""

from django.urls import path

from pictures.api.viewsets import Uploads

urlpatterns = [
    path("uploads", Uploads.as_view({"post": "create"})),
    path("uploads/<str:id>", Uploads.as_view({"get": "retrieve"})),
]
