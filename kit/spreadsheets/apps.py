from django.apps import AppConfig


class SpreadsheetsConfig(AppConfig):
    name = "kit.spreadsheets"
    label = "spreadsheets"
