from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "commerce.operations"
    label = "operations"
