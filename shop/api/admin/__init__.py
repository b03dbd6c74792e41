"""The shop's routes and GraphQL fields for staff."""

from shop.api.admin import absent, notifications, settings

urlpatterns = [*settings.urlpatterns, *notifications.urlpatterns, *absent.urlpatterns]
QUERIES = {**settings.QUERIES, **notifications.QUERIES}
MUTATIONS = settings.MUTATIONS
