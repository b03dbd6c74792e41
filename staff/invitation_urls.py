"""The pages that accept an invitation. They end with a slash, as all pages of the site, so that SiteLayers apply."""

from django.urls import path

from staff.invitation_pages import accept_page, store_token

urlpatterns = [
    path("", accept_page, name="accept_invitation"),
    path("<str:token>/", store_token, name="invitation"),
]
