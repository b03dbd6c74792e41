from django.apps import AppConfig


class ThrottlingConfig(AppConfig):
    name = "commerce.kit.throttling"
    label = "throttling"
