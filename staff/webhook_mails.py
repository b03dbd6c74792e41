"""The email to staff when the shop has disabled a webhook endpoint."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import Max, QuerySet

from kit.database.locking import lock_named
from kit.messages.mails.kinds import RenderedMail
from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.webhooks.endpoints.disabling import BY_STAFF
from kit.messages.webhooks.models import WebhookAddress
from kit.values.json import JSON
from staff.models import User

KIND = "webhook_switched_off"


def report_switched_off() -> None:
    """Queue an email to every active user who can enable endpoints, in the caller's transaction."""
    lock_named(KIND)  # otherwise two reports to one user could get the same number, and one of them would be lost
    user_ids = list(_recipients().order_by("pk").values_list("pk", flat=True))
    sent = Mail.objects.filter(kind=KIND, about__in=user_ids)
    last = dict(sent.values("about").annotate(last=Max("number")).values_list("about", "last"))
    for user_id in user_ids:
        queue_mail(KIND, about=user_id, number=last.get(user_id, 0) + 1)


def render_switched_off_mail(about: str, number: int) -> RenderedMail | None:
    """The email to that user, about all endpoints that the shop has disabled.

    None once none is left, or the user may not enable them.
    """
    user = _recipients().filter(pk=about).first()
    off = WebhookAddress.objects.not_deleted().filter(disabled_at__isnull=False).exclude(disabled_reason=BY_STAFF)
    addresses: list[JSON] = [
        {"url": address.url, "reason": address.disabled_reason, "since": f"{address.disabled_at:%Y-%m-%d %H:%M} UTC"}
        for address in off.order_by("-disabled_at", "pk")
    ]
    if user is None or not addresses:
        return None
    return RenderedMail(recipient=user.email, template=KIND, context={"addresses": addresses})


def _recipients() -> QuerySet[User]:
    """Superusers, and users with the permission of their own or by a group."""
    return ModelBackend().with_perm("webhooks.change_webhookaddress").exclude(email="")
