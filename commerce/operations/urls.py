"""Routes of the operator."""

from django.urls import path

from commerce.operations.monitoring.health import Health

urlpatterns = [
    path("health/live", Health.as_view({"get": "live"})),
    path("health/ready", Health.as_view({"get": "ready"})),
]
