from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "commerce.kit.jobs"
    label = "jobs"
