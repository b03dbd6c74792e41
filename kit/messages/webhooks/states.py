"""The states of a delivery."""

from django.db.models import TextChoices


class DeliveryStatus(TextChoices):
    """A `pending` delivery is tried until its time is over; sending it again makes any other one pending."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
