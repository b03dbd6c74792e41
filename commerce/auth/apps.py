from django.apps import AppConfig


class AuthConfig(AppConfig):
    name = "commerce.auth"
    label = "commerce_auth"
