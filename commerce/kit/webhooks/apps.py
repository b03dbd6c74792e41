from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "commerce.kit.webhooks"
    label = "webhooks"
