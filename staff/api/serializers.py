"""The serializers and inputs of users and invitations."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Permission
from rest_framework import serializers

from kit.reads.declarations.computed import Batch, BatchField, ConstantField, RowField
from kit.reads.declarations.records import RecordSerializer
from kit.rest.requests.input_fields import CharField, DictField, ListField
from kit.rest.requests.inputs import Input
from kit.values.json import JSONObject
from staff.models import Invitation, User


def _roles_of(through: Any, column: str) -> BatchField:
    """The names of the rows' roles. through: the table that links rows, by that column, to groups."""

    def load(batch: Batch) -> Sequence[object]:
        ids = [row[0] for row in batch.rows]
        links = through.objects.filter(**{f"{column}__in": ids}).order_by("group__name")
        roles = defaultdict(list)
        for row_id, name in links.values_list(column, "group__name"):
            roles[row_id].append(name)
        return [roles[row_id] for row_id in ids]

    names = serializers.ListField(child=serializers.CharField())
    return BatchField(names, columns=("id",), load=load, help_text="The names of roles.")


class UserSerializer(RecordSerializer):
    """A member of staff."""

    id = serializers.CharField()
    email = serializers.CharField()
    first_name = serializers.CharField()
    last_name = serializers.CharField()
    avatar_url = serializers.CharField(allow_null=True)
    is_active = serializers.BooleanField(help_text="Whether the user can sign in.")
    is_superuser = serializers.BooleanField(help_text="Whether the user has all permissions.")
    roles = _roles_of(User.groups.through, "user_id")

    class Meta:
        model = User


def _held(batch: Batch) -> Sequence[object]:
    """The caller's permissions, within the limit of their key."""
    every = Permission.objects.order_by("content_type__app_label", "codename")
    names = [f"{app}.{codename}" for app, codename in every.values_list("content_type__app_label", "codename")]
    return [[name for name in names if batch.actor.may(name)] for _ in batch.rows]


class MeSerializer(UserSerializer):
    """The caller."""

    permissions = BatchField(
        serializers.ListField(child=serializers.CharField()),
        columns=("id",),
        load=_held,
        help_text="What the caller may do, such as `catalog.add_product`; those of a secret key are within its limit.",
    )

    class Meta:
        model = User


class InviteSerializer(RecordSerializer):
    """An invitation to become a member of staff."""

    id = serializers.CharField()
    email = serializers.CharField()
    accepted = RowField(serializers.BooleanField(), columns=("user_id",), compute=lambda user_id: user_id is not None)
    token = ConstantField(
        serializers.CharField(allow_blank=True),
        value="",
        help_text="Only in the response that creates or resends the invitation; otherwise empty.",
    )
    expires_at = serializers.DateTimeField(allow_null=True)
    roles = _roles_of(Invitation.groups.through, "invitation_id")

    class Meta:
        model = Invitation


class InviteInput(Input):
    """A new invitation."""

    email = CharField(allow_blank=False)
    roles = ListField(required=False, allow_null=True, help_text="The names of the roles that the user will have.")
    metadata = DictField(required=False, allow_null=True)


class ResetTokenSerializer(serializers.Serializer[JSONObject]):
    """The user was sent an email to set a new password."""

    token = serializers.CharField(allow_blank=True, help_text="Always empty: only the email has the token.")


class UserProvidersSerializer(serializers.Serializer[JSONObject]):
    """How a user can sign in."""

    providers = serializers.ListField(child=serializers.CharField())
