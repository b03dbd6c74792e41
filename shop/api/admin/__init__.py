"""The shop's routes and GraphQL fields for staff."""

from shop.api.admin import dashboard, notifications, settings

urlpatterns = [*settings.urlpatterns, *notifications.urlpatterns, *dashboard.urlpatterns]
QUERIES = {**settings.QUERIES, **notifications.QUERIES}
MUTATIONS = settings.MUTATIONS
