from django.apps import AppConfig


class AuthConfig(AppConfig):
    name = "auth"
    label = "commerce_auth"
