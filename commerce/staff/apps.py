from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "commerce.staff"
    label = "staff"
    verbose_name = "Staff"
