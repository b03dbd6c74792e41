from django.apps import AppConfig


class TaxesConfig(AppConfig):
    name = "taxes"
