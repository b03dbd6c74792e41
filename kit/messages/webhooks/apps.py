from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "kit.messages.webhooks"
    label = "webhooks"
