from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "commerce.jobs"
    label = "jobs"
