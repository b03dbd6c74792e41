from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "kit.tables"
    label = "tables"
