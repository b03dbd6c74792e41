"""Routes of the operator."""

from django.urls import path

from commerce.operations.health import live, ready

urlpatterns = [
    path("health/live", live, name="health-live"),
    path("health/ready", ready, name="health-ready"),
]
