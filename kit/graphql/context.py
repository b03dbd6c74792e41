"""The caller of one GraphQL request: to the store's fields a shopper, to the others a member of staff."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.http import HttpRequest

from kit.domain.actor import Actor
from kit.reads.filters.filtering import Searching
from kit.reads.plans.bounds import AnswerLimit
from kit.rest.preparation import Preparation
from kit.rest.responses.errors import AuthenticationRequired


@dataclass
class RequestContext:
    """One request.

    caller: the owner of the credentials. credential: the authenticator's second value.
    scope: gives the anonymous caller in the request's sales channels.
    is_repeated: whether all of it is run again after a lost race, so that no part of it need be.
    preparation: the result of the work before the one transaction of such a request.
    answer_limit: how much the answer may still hold, all of its fields together.
    searching: how many words may still be searched for, likewise.
    plans: what each root field's selection set asks for, by its response key.
    counted: the failures of this request that a throttle has counted already.
    afterwards: work to do after the response is stored.
    """

    request: HttpRequest
    caller: Actor
    credential: Any
    scope: Callable[[], Actor]
    is_repeated: bool = False
    preparation: Preparation[Mapping[str, Any]] | None = None
    answer_limit: AnswerLimit = field(default_factory=AnswerLimit)
    searching: Searching = field(default_factory=Searching)
    plans: dict[str, Any] = field(default_factory=dict)
    counted: set[Hashable] = field(default_factory=set)
    afterwards: list[Callable[[], None]] = field(default_factory=list)

    @cached_property
    def shopper(self) -> Actor:
        """Who reads the store: the customer, else nobody in particular, within the request's sales channels.

        Staff see there what the store sees, as they do on REST's store routes.
        """
        scope = self.scope()
        if self.caller.type != "customer" or self.caller.id is None:
            return scope
        return replace(self.caller, sales_channel_ids=scope.sales_channel_ids, through=scope.through)

    def before_transaction(self, work: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        """What the work gives, done outside every transaction: now, or where all of the request is one, before it."""
        return work() if self.preparation is None else self.preparation.result()

    def outside(self, work: Callable[[], None]) -> None:
        """Do the work outside of every transaction: now, or where all of the request is one, once that is over."""
        if self.is_repeated:
            self.afterwards.append(work)
        else:
            work()

    def customer(self) -> Actor:
        """The shopper who has signed in as a customer. Raises AuthenticationRequired for all others."""
        if self.caller.type != "customer" or self.caller.id is None:
            raise AuthenticationRequired
        return self.shopper

    def staff(self) -> Actor:
        """The caller, who is staff, whatever their permissions. Raises AuthenticationRequired for all others."""
        if self.caller.type != "user":
            raise AuthenticationRequired
        return self.caller

    def registrant(self) -> Actor:
        """Who has registered, whether they are a customer already or not. Raises AuthenticationRequired."""
        if self.caller.type != "customer":
            raise AuthenticationRequired
        return self.caller

    def actor(self, permission: str | None) -> Actor:
        """Who acts: the member of staff with that permission; without one, the shopper.

        Raises AuthenticationRequired where nobody of the staff asks, Forbidden without the permission.
        """
        if permission is None:
            return self.shopper
        caller = self.staff()
        caller.require(permission)
        return caller
