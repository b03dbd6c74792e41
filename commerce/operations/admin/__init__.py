"""The screens of background work, emails and webhooks."""

from commerce.operations.admin import first_steps
from commerce.operations.admin.jobs import JobAdmin
from commerce.operations.admin.mails import MailAdmin
from commerce.operations.admin.spreadsheets import ImportAdmin
from commerce.operations.admin.tasks import TaskAdmin
from commerce.operations.admin.webhook_addresses import WebhookAddressAdmin
from commerce.operations.admin.webhook_deliveries import DeliveryAdmin, EventAdmin

__all__ = [
    "DeliveryAdmin",
    "EventAdmin",
    "ImportAdmin",
    "JobAdmin",
    "MailAdmin",
    "TaskAdmin",
    "WebhookAddressAdmin",
    "first_steps",
]
