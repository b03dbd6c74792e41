from django.apps import AppConfig


class ThrottlingConfig(AppConfig):
    name = "kit.safety.throttling"
    label = "throttling"
