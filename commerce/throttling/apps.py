from django.apps import AppConfig


class ThrottlingConfig(AppConfig):
    name = "commerce.throttling"
    label = "throttling"
