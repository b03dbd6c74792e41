from django.apps import AppConfig


class IdempotencyConfig(AppConfig):
    name = "commerce.idempotency"
    label = "idempotency"
