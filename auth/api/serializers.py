"""The inputs and answers of authentication."""

from rest_framework import serializers

from kit.rest.requests.input_fields import BlankField, CharField, DictField
from kit.rest.requests.inputs import Input
from kit.values.json import JSONObject


class CredentialsInput(Input):
    """An account's email and password."""

    email = CharField()
    password = CharField(max_length=4096)
    otp = CharField(required=False, help_text="The one-time password, for staff with a second factor.")


class SignInInput(CredentialsInput):
    """An account's email, password and actor type."""

    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class NewAccountInput(Input):
    """The email and password of a new account."""

    email = CharField()
    password = CharField(max_length=4096)


class RegistrationInput(NewAccountInput):
    """The email and password of a new account, and its actor type."""

    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class AcceptInviteInput(Input):
    """The new user's name."""

    email = CharField(required=False, allow_null=True, help_text="Must be the email that was invited.")
    first_name = BlankField(required=False, max_length=150)
    last_name = BlankField(required=False, max_length=150)


class AcceptInviteByTokensInput(AcceptInviteInput):
    """The new user's name, and both tokens."""

    token = CharField(max_length=4096, help_text="Of the invitation.")
    registration_token = CharField(max_length=4096, help_text='From `register`, with `actorType: "user"`.')


class PasswordResetInput(Input):
    """The account that needs a new password."""

    identifier = CharField(help_text="The account's email.")
    metadata = DictField(required=False, allow_null=True, help_text="Accepted, but ignored.")


class PasswordInput(Input):
    """A new password."""

    password = CharField(max_length=4096)
    email = CharField(required=False, help_text="The account's email, for clients that send it.")


class PasswordUpdateInput(PasswordInput):
    """A new password, and the token from the email."""

    token = CharField(max_length=4096)
    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class PasswordMailInput(PasswordResetInput):
    """The account that needs a new password, and its actor type."""

    actor_type = CharField(required=False, help_text="customer or user; customer where it is left out.")


class TokenSerializer(serializers.Serializer[JSONObject]):
    """A token for `Authorization: Bearer`."""

    token = serializers.CharField()


class AuthProviderSerializer(serializers.Serializer[JSONObject]):
    """A way to sign in."""

    id = serializers.CharField(help_text="As in the routes: /auth/{actor_type}/{id}.")
    identifier = serializers.CharField()
    display_name = serializers.CharField()
    flow = serializers.CharField(help_text="Always credentials: email and password are sent to the route itself.")


class AuthProvidersSerializer(serializers.Serializer[JSONObject]):
    """The ways to sign in."""

    providers = AuthProviderSerializer(many=True)


class SecondFactorsSerializer(serializers.Serializer[JSONObject]):
    """What sign-in by the API asks for beside the password: nothing."""

    mfa_factors = serializers.ListField(child=serializers.DictField(), help_text="Always empty.")


class CloudSignInSerializer(serializers.Serializer[JSONObject]):
    """Whether staff can sign in by an account of Medusa's cloud."""

    enabled = serializers.BooleanField(help_text="Always false.")


class ClaimsSerializer(serializers.Serializer[JSONObject]):
    """The claims of a token."""

    actor_id = serializers.CharField(allow_blank=True)
    actor_type = serializers.CharField()
    auth_identity_id = serializers.CharField()
    auth_provider = serializers.CharField()
    app_metadata = serializers.DictField()
    user_metadata = serializers.DictField()
    stamp = serializers.CharField()
    iat = serializers.IntegerField(help_text="When it was issued, in seconds since 1970.")
    exp = serializers.IntegerField(help_text="When it ends, in seconds since 1970.")


class SessionSerializer(serializers.Serializer[JSONObject]):
    """The claims of the token that opened the session."""

    user = ClaimsSerializer()


class SuccessSerializer(serializers.Serializer[JSONObject]):
    """The operation succeeded."""

    success = serializers.BooleanField()
