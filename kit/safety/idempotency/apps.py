from django.apps import AppConfig


class IdempotencyConfig(AppConfig):
    name = "kit.safety.idempotency"
    label = "idempotency"
