"""The screens of background work."""

from commerce.operations.admin.jobs import JobAdmin
from commerce.operations.admin.mails import MailAdmin
from commerce.operations.admin.tasks import TaskAdmin

__all__ = ["JobAdmin", "MailAdmin", "TaskAdmin"]
