from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "commerce.kit.outbox"
    label = "outbox"
