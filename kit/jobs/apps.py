from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "kit.jobs"
    label = "jobs"
