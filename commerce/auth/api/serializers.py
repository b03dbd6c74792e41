"""What is sent to sign in, and what comes back."""

from typing import Any

from rest_framework import serializers

from commerce.api.inputs import Input, Text


class SignInInput(Input):
    """An account's e-mail and password."""

    email = Text()
    password = Text(max_length=4096)
    otp = Text(required=False, help_text="The one-time password, for staff who have a device for it.")


class TokenSerializer(serializers.Serializer[Any]):
    """A token for `Authorization: Bearer`."""

    token = serializers.CharField()


class ClaimsSerializer(serializers.Serializer[Any]):
    """What a token says of its account."""

    actor_id = serializers.CharField(allow_blank=True)
    actor_type = serializers.CharField()
    auth_identity_id = serializers.CharField()
    auth_provider = serializers.CharField()
    app_metadata = serializers.DictField()
    user_metadata = serializers.DictField()
    stamp = serializers.CharField()
    iat = serializers.IntegerField(help_text="When it was issued, in seconds since 1970.")
    exp = serializers.IntegerField(help_text="When it ends, in seconds since 1970.")


class SessionSerializer(serializers.Serializer[Any]):
    """Whose session it is."""

    user = ClaimsSerializer()


class SuccessSerializer(serializers.Serializer[Any]):
    """It is done."""

    success = serializers.BooleanField()
