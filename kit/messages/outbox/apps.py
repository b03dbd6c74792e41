from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "kit.messages.outbox"
    label = "outbox"
