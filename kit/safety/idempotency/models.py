"""The answers that are kept for a second sending of the same request."""

from datetime import datetime

from django.db import connection, models

from kit.values.timestamps import TimestampField

_CLAIM = """
INSERT INTO idempotency_record (actor, key_digest, fingerprint, status, body, mentions, created_at)
VALUES (%s, %s, %s, 0, %s, '', %s)
ON CONFLICT (actor, key_digest) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = 0, body = excluded.body, mentions = '',
    created_at = excluded.created_at
WHERE idempotency_record.created_at < %s
RETURNING id
"""


class RecordQuerySet(models.QuerySet["Record"]):
    """Claims keys; a claim and the answer to it are made in one transaction."""

    def claim(self, *, actor: str, key_digest: str, fingerprint: str, now: datetime, expired: datetime) -> int | None:
        """The id of a fresh record, if the key had none or one made before `expired`; else None: the work was done.

        A request that holds the same key is waited for, on PostgreSQL here, up to the connection's lock_timeout; on
        SQLite the transaction's own beginning has waited. Where the answer is None the record stays locked.
        """
        moments = [connection.ops.adapt_datetimefield_value(moment) for moment in (now, expired)]
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, [actor, key_digest, fingerprint, b"", *moments])
            row = cursor.fetchone()
        return row and int(row[0])


class Record(models.Model):
    """One request sent with an Idempotency-Key, and its answer; committed in the transaction of the work itself.

    actor: who sent it. status: of the answer, 0 only while the work runs. body: of the answer, encrypted.
    mentions: digests of ids and email addresses in the request and response; see mentions.py.
    """

    actor = models.CharField(max_length=160)
    key_digest = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.BinaryField()
    mentions = models.TextField(default="")
    created_at = TimestampField(db_index=True)

    objects = RecordQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["actor", "key_digest"], name="idempotency_record_key_once")]

    def __str__(self) -> str:
        return f"{self.actor} at {self.created_at}"
