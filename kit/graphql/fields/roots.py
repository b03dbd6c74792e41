"""Root fields: what stands directly below Query and Mutation. Each plans what its selection set asks for, then answers.

A plan needs no row and no caller: it is made before anything is executed, once for each document.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import graphene
from graphql import GraphQLResolveInfo

from kit.graphql.context import RequestContext
from kit.graphql.fields.selections import Nodes, Selecting
from kit.reads.filters.framework_hooks import refuse_hooks
from kit.rest.storage_limits import Adds, Amounts

Arguments = Mapping[str, Any]
_HOOKS = {
    **dict.fromkeys(("resolve", "resolver", "mutate", "get_resolver", "wrap_resolve"), "override answer"),
    **dict.fromkeys(("Arguments", "Input", "args"), "override arguments"),
    **dict.fromkeys(("Meta", "Output", "interfaces"), "override type"),
    **dict.fromkeys(("deprecation_reason", "default_value", "required", "name"), "write it in `description`"),
}


class RootField(ABC):
    """One field of Query or Mutation; `description` is part of the schema.

    accepts_idempotency_key: whether an Idempotency-Key counts for it.
    before_transaction: what it does before its transaction, if anything.
    is_catalogue: whether it reads the catalogue, which a read replica may answer.
    adds: what it adds, as throttles count it; it gets the input.
    """

    description: str
    accepts_idempotency_key: bool = True
    before_transaction: Callable[..., Mapping[str, Any]] | None = None
    is_catalogue: bool = False
    adds: Adds | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raises ImproperlyConfigured for what graphene's own classes read and this one does not."""
        super().__init_subclass__(**kwargs)
        refuse_hooks(cls, _HOOKS, base=RootField)

    @abstractmethod
    def plan(self, nodes: Nodes, selecting: Selecting) -> Any:
        """What the nodes ask for. Raises InvalidData for more than one request may ask."""

    def prepare(self, context: RequestContext, args: Arguments, *, idempotency_digest: str | None) -> Mapping[str, Any]:
        """Returns what `before_transaction` does. idempotency_digest: None without an Idempotency-Key."""
        return {}

    def added(self, args: Arguments) -> Amounts:
        """What it adds with these arguments, as throttles count it."""
        return self.adds({**(args.get("input") or {}), **args}) if self.adds else {}

    def searched_words(self, plan: Any, args: Arguments) -> int:
        """How many words it searches for."""
        return 0

    def is_final(self, context: RequestContext) -> bool:
        """Whether an Idempotency-Key may keep the answer that it has given."""
        return True

    @abstractmethod
    def answer(self, context: RequestContext, plan: Any, args: Arguments) -> Any:
        """The value, in PreshapedValue where it has the response's shape."""

    @abstractmethod
    def type(self) -> Any:
        """The field's graphene type."""

    @abstractmethod
    def arguments(self) -> Mapping[str, graphene.Argument]:
        """The field's arguments."""

    def mounted(self) -> graphene.Field:
        """The field as graphene's Query or Mutation holds it."""
        return graphene.Field(
            self.type(), args=dict(self.arguments()), resolver=self._resolve, description=self.description
        )

    def _resolve(self, _: Any, info: GraphQLResolveInfo, **args: Any) -> Any:
        context: RequestContext = info.context
        return self.answer(context, context.plans[str(info.path.key)], args)
