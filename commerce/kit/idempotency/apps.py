from django.apps import AppConfig


class IdempotencyConfig(AppConfig):
    name = "commerce.kit.idempotency"
    label = "idempotency"
