"""The routes of users and invitations below /admin."""

from django.urls import path

from staff.api.viewsets import Invites, Me, Users

urlpatterns = [
    path("users", Users.as_view({"get": "list"})),
    path("users/me", Me.as_view({"get": "me"})),
    path("users/<str:id>", Users.as_view({"get": "retrieve", "post": "update", "delete": "destroy"})),
    path("invites", Invites.as_view({"get": "list", "post": "create"})),
    path("invites/<str:id>", Invites.as_view({"get": "retrieve", "delete": "destroy"})),
    path("invites/<str:id>/resend", Invites.as_view({"post": "resend"})),
]
