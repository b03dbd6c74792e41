"""The routes of uploads: those below /admin, and the addresses that they sign."""

from django.urls import path

from pictures.api.viewsets import PresignedUploads, PresignedUrls, Uploads
from pictures.presigned import PATH

admin = [
    path("uploads", Uploads.as_view({"post": "create"})),
    path("uploads/presigned-urls", PresignedUrls.as_view({"post": "create"})),
    path("uploads/<str:id>", Uploads.as_view({"get": "retrieve", "delete": "destroy"})),
]
signed = [path(f"{PATH[1:]}<str:token>", PresignedUploads.as_view({"put": "receive"}))]
