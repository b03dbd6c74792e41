"""Emails: an outbox whose rows are written in the transaction that causes them, and the record of what was sent."""

from typing import Self

from django.db import models
from django.db.models import Q

from kit.database.claims import ClaimantField
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.messages.mails.states import MailStatus
from kit.values.ids import ID_MAX_LENGTH, IdField
from kit.values.timestamps import TimestampField, now


class MailQuerySet(ResourceQuerySet):
    """Emails, as the API shows them."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Those that were sent, for staff who may view emails."""
        return self.filter(sent_at__isnull=False) if actor.may("mails.view_mail") else self.none()


class Mail(models.Model):
    """One email. Neither its text nor its address is stored: both are found when it is rendered.

    kind: a key of MAIL_KINDS (kinds.py). about: the id of what it is about. number: counts its sendings from 1.
    is_for_guest: whether a stranger can cause it, so that the limit for one address applies (address_limit.py).
    is_one_of_many: whether it is sent after all others.
    next_try_at: when it is due, or when the claim of the worker that is sending it ends; null once it is over.
    claimed_by: the process of that worker (kit/database/claims.py).
    attempts: how often a worker has claimed it. request_id: of the request that caused it.
    recipient: the masked address. recipient_digest: a keyed hash of the address, for the limit.
    handed_over_at: when the limit last let it pass.
    """

    id = IdField(prefix="mail")
    kind = models.CharField(max_length=64)
    about = models.CharField(max_length=ID_MAX_LENGTH)
    number = models.PositiveIntegerField(default=1)
    is_for_guest = models.BooleanField(default=False)
    is_one_of_many = models.BooleanField(default=False)
    request_id = models.CharField(max_length=64, blank=True, default="")
    created_at = TimestampField(default=now)
    next_try_at = TimestampField(null=True, default=now)
    claimed_by = ClaimantField()
    attempts = models.PositiveIntegerField(default=0)
    recipient = models.CharField(max_length=255, blank=True, default="")
    recipient_digest = models.CharField(max_length=64, blank=True, default="")
    handed_over_at = TimestampField(null=True)
    sent_at = TimestampField(null=True)
    error = models.TextField(blank=True, default="")

    objects = MailQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "about", "number"], name="mails_mail_once"),
            models.CheckConstraint(condition=Q(sent_at=None) | Q(next_try_at=None), name="mails_mail_sent_is_over"),
        ]
        indexes = [
            models.Index(
                fields=["is_one_of_many", "next_try_at"], condition=Q(next_try_at__isnull=False), name="mails_mail_due"
            ),
            models.Index(fields=["recipient_digest", "handed_over_at"], name="mails_mail_of_address"),
            models.Index(fields=["created_at"], name="mails_mail_moment"),
            models.Index(fields=["about"], name="mails_mail_about"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} no. {self.number}"

    @property
    def status(self) -> MailStatus:
        """Whether the email waits, was sent, has failed or was not needed."""
        if self.sent_at is not None:
            return MailStatus.SENT
        if self.next_try_at is not None:
            return MailStatus.WAITING
        return MailStatus.FAILED if self.error else MailStatus.NOT_NEEDED
