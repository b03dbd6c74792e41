"""What is sent to sign in, and what comes back."""

from typing import Any

from rest_framework import serializers

from commerce.kit.api.input_fields import CharField, DictField
from commerce.kit.api.inputs import Input


class CredentialsInput(Input):
    """An account's e-mail and password."""

    email = CharField()
    password = CharField(max_length=4096)
    otp = CharField(required=False, help_text="The one-time password, for staff who have a device for it.")


class SignInInput(CredentialsInput):
    """An account's e-mail and password, and whose account it is."""

    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class RegistrationInput(Input):
    """The e-mail and password of a new account."""

    email = CharField()
    password = CharField(max_length=4096)


class PasswordResetInput(Input):
    """Whose password is to be set anew."""

    identifier = CharField(help_text="The account's e-mail.")
    metadata = DictField(required=False, allow_null=True, help_text="Accepted, and of no effect.")


class PasswordInput(Input):
    """A new password."""

    password = CharField(max_length=4096)
    email = CharField(required=False, help_text="The account's own, for clients that send it along.")


class PasswordUpdateInput(PasswordInput):
    """A new password, and the token that the mail brought."""

    token = CharField(max_length=4096)
    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class PasswordMailInput(PasswordResetInput):
    """Whose password is to be set anew, and whose account it is."""

    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class TokenSerializer(serializers.Serializer[Any]):
    """A token for `Authorization: Bearer`."""

    token = serializers.CharField()


class AuthProviderSerializer(serializers.Serializer[Any]):
    """A way to sign in."""

    id = serializers.CharField(help_text="As in the routes: /auth/{actor_type}/{id}.")
    identifier = serializers.CharField()
    display_name = serializers.CharField()
    flow = serializers.CharField(help_text="Always credentials: e-mail and password are sent to the route itself.")


class AuthProvidersSerializer(serializers.Serializer[Any]):
    """The ways to sign in."""

    providers = AuthProviderSerializer(many=True)


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
