"""The bases of the routes of storefronts, customers, staff and sign-in: who may use each kind."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse

from kit.domain.actor import Actor
from kit.errors import InvalidData
from kit.query.paging import MAX_LIMIT
from kit.rest.endpoint import Endpoint
from kit.rest.preparation import work_before
from kit.rest.requests.inputs import taken_flag
from kit.rest.responses.validation_problems import bracketed
from kit.rest.scopes import STORE_SCOPE
from kit.rest.storage_limits import StorageLimits
from kit.writes.dry_runs import undone


class StoreEndpoint(StorageLimits):
    """A route under /store: it requires a publishable key; a customer may be signed in."""

    accepts = frozenset({"customer"})
    vary = "x-publishable-api-key, authorization, cookie"

    def open_gate(self, request: HttpRequest) -> Actor:
        return STORE_SCOPE.get()(request)

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """The parameters, without `locale`: it asks for a translation, and the shop has one language."""
        parameters = super().parameters(query_string)
        parameters.pop("locale", None)
        return parameters


class CustomerEndpoint(StoreEndpoint):
    """A route under /store for signed-in customers, about their own data."""

    demands = True
    private = True

    @property
    def customer_id(self) -> str:
        """The id of the signed-in customer."""
        assert self.actor.id is not None  # noqa: S101 - the route demands a customer
        return self.actor.id


class AdminEndpoint(Endpoint):
    """A route under /admin: for staff, by token, session or secret key, each action by permission.

    open_to_all_staff: the actions without one, since what they show is the caller's own.

    dry_runs: the actions whose body may have `dry_run`: one transaction each, and nothing else that lasts. All others
    refuse it by name. Why: docs/decisions/http.md#a-dry-run-is-the-change-itself-rolled-back.
    """

    dry_runs: ClassVar[frozenset[str]] = frozenset()
    accepts = frozenset({"user"})
    demands = True
    private = True
    reads_body_first = False
    open_to_all_staff: ClassVar[frozenset[str]] = frozenset()
    place = staticmethod(bracketed)

    def perform(self) -> HttpResponse:
        if self.action in self.dry_runs:
            self.is_dry = taken_flag(self._json, "dry_run")
        if self.is_dry and "HTTP_IDEMPOTENCY_KEY" in self.request.META:
            raise InvalidData("Invalid request: Field 'dry_run' cannot be used with an Idempotency-Key")
        return super().perform()

    def _attempt(self) -> dict[str, Any]:
        return undone(self._handle) if self.is_dry else self._handle()

    def take_body(self) -> None:
        """Ignore an empty `additional_data`, which the official SDK sends for plug-ins."""
        if self._json.get("additional_data") == {}:
            del self._json["additional_data"]
        super().take_body()

    @classmethod
    def parameters(cls, query_string: str) -> dict[str, Any]:
        """The parameters. A `limit` above the maximum becomes the maximum: programs send one to get all rows."""
        parameters = super().parameters(query_string)
        limit = parameters.get("limit")
        if isinstance(limit, str) and limit.isascii() and limit.isdecimal() and len(limit) <= 30:
            parameters["limit"] = str(min(int(limit), MAX_LIMIT))
        return parameters

    @classmethod
    def as_view(cls, actions: Any = None, **initkwargs: Any) -> Any:
        """Raises ImproperlyConfigured for an action without a permission that is not `open_to_all_staff`.

        Also for dry runs of an action that works outside its transaction.
        """
        guarded = {*(action for action, needed in cls.permissions.items() if needed), *cls.open_to_all_staff}
        unguarded = [action for action in (actions or {}).values() if action not in guarded]
        if unguarded:
            raise ImproperlyConfigured(f"{cls.__name__} names no permission for: {', '.join(unguarded)}")
        if lasting := [action for action in cls.dry_runs if work_before(getattr(cls, action))]:
            raise ImproperlyConfigured(f"{cls.__name__} works outside the transaction of: {', '.join(lasting)}")
        return super().as_view(actions, **initkwargs)


def permissions_on(model: str) -> Mapping[str, str]:
    """Django's permissions on a model, `payments.refundreason`, by the usual actions of an AdminEndpoint."""
    app, _, name = model.partition(".")
    acts = {
        "list": "view",
        "retrieve": "view",
        "create": "add",
        "update": "change",
        "destroy": "delete",
        "restore": "delete",
    }
    return {action: f"{app}.{act}_{name}" for action, act in acts.items()}


class AuthEndpoint(StorageLimits):
    """A route under /auth: open to everybody; it ignores an Idempotency-Key."""

    accepts = frozenset({"user", "customer"})
    accepts_idempotency_key = False
    private = True
    is_throttled = True
