"""What a resource's serializer declares beyond DRF's own fields: here relations, in computed.py computed values.

A ResourceSerializer is declared once and read three ways: projected (kit/reads/plans/plan.py), described
(OpenAPI, GraphQL types), and offered for selection. It never serializes model instances.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.db import models
from rest_framework import serializers

from kit.reads.filters.framework_hooks import ignored, refuse_hooks

_COMPUTED = "declare a SqlField, RowField or BatchField (kit/reads/declarations/computed.py)"
_RELATED = "declare a ToOne, ToMany, RowObject, BatchRelation or Embedded"
_INPUTS = "bodies are validated by an Input (kit/rest/requests/inputs.py)"
_NAMED = "name the fields and what `by_request` leaves out of the defaults"
_HOOKS = {
    "to_representation": _COMPUTED,
    "get_fields": "declare the fields on the class",
    **dict.fromkeys(("to_internal_value", "validate", "create", "update", "save"), _INPUTS),
}
_META_HOOKS = {
    **dict.fromkeys(("fields", "exclude", "depth", "extra_kwargs", "read_only_fields"), _NAMED),
    **dict.fromkeys(("list_serializer_class", "validators"), _INPUTS),
}
_KINDS: dict[type[serializers.Field[Any, Any, Any, Any]], str] = {
    serializers.SerializerMethodField: _COMPUTED,
    serializers.ReadOnlyField: "declare the field of its type",
    serializers.HiddenField: _INPUTS,
    serializers.RelatedField: _RELATED,
    serializers.ManyRelatedField: _RELATED,
    serializers.BaseSerializer: _RELATED,
}


class ResourceSerializer(serializers.Serializer[Any]):
    """The shape of a resource. `Meta.model` names the table; `Meta.by_request` the scalars outside the defaults.

    One that stands only inside computed objects (see BatchRelation) has no table, and need not have a Meta.
    """

    shape_is_read: ClassVar[bool] = False
    entered_defaults: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Put the resource's own fields before those that it shares with others: its id first, timestamps last.

        Raises ImproperlyConfigured for what would have no effect.
        """
        super().__init_subclass__(**kwargs)
        _refuse_ignored(cls)
        shared = {name for base in cls.__bases__ for name in getattr(base, "_declared_fields", ())}
        own = {name: field for name, field in cls._declared_fields.items() if name not in shared}
        cls._declared_fields = {**own, **cls._declared_fields}

    class Meta:
        model: type[models.Model]
        by_request: frozenset[str] = frozenset()

    @classmethod
    def register_relation(cls, name: str, relation: "Relation", *, defaults: str = "") -> None:
        """Add a relation to this class alone. `commerce/wiring.py` does so for apps further up.

        defaults: what of it every resource of this class shows by default, as FieldSet takes it.

        Raises ImproperlyConfigured for a taken name, and once the shape was read: somebody would already know less.
        """
        if name in cls._declared_fields:
            raise ImproperlyConfigured(f"{cls.__name__} has a field '{name}' already")
        if "shape_is_read" in vars(cls):
            raise ImproperlyConfigured(f"'{name}' comes too late: the shape of {cls.__name__} was read already")
        cls._declared_fields[name] = relation
        if defaults:
            cls.entered_defaults = (*cls.entered_defaults, defaults)


ResourceSerializerClass = type[ResourceSerializer]


def _refuse_ignored(cls: ResourceSerializerClass) -> None:
    name = cls.__name__
    refuse_hooks(cls, _HOOKS, base=ResourceSerializer)
    refuse_hooks(cls.Meta, _META_HOOKS, base=ResourceSerializer.Meta)
    for method in sorted(set(dir(cls)) - set(dir(ResourceSerializer))):
        if method.startswith("validate_"):
            raise ignored(name, method, _INPUTS)
    for field_name, field in cls._declared_fields.items():
        for kind, instead in _KINDS.items():
            if isinstance(field, kind):
                raise ignored(name, f"{field_name} = {type(field).__name__}", instead)
        if not type(field).to_representation.__module__.startswith("rest_framework."):
            raise ignored(name, f"to_representation of {field_name}", _COMPUTED)
        if field.source is not None and not field.source.isidentifier():
            raise ignored(name, f"source='{field.source}' of {field_name}", f"name a column, or {_RELATED}")
        for option in ("default", "format", "write_only"):
            if vars(field).get(option, serializers.empty) not in (serializers.empty, False):
                raise ignored(name, f"`{option}` of {field_name}", _COMPUTED)


class Relation(serializers.Field[Any, Any, Any, Any]):
    """Another resource below this one.

    to: a function that gives the related serializer class, so that resources may refer to each other.
    along: whether selecting the whole holder selects this relation too, except in a circle.
    """

    many = False

    def __init__(self, to: Callable[[], ResourceSerializerClass], *, along: bool = False, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.to = to
        self.along = along


class Joined(Relation):
    """A relation between tables, loaded by one statement for all rows of a page.

    key: the ORM path that joins them (see ToOne, ToMany).
    inverse: the related resource's relation that leads back here; selected below this one, it answers `{id}` alone.
    inside: whether the related rows belong to the owner of this row, as a variant's option values belong to the
        variant's product: relations of theirs that lead back to it answer `{id}` too.
    owner: whether this leads to what the row belongs to, though no `inverse` of the owner's relations says so.
    path: a column of the related model with the ids from root to row, joined by dots; it lets a flag of the route widen
        the relation to the whole chain or tree.
    """

    def __init__(
        self,
        to: Callable[[], ResourceSerializerClass],
        *,
        key: str,
        inverse: str | None = None,
        inside: bool = False,
        owner: bool = False,
        path: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(to, **kwargs)
        self.key = key
        self.inverse = inverse
        self.inside = inside
        self.owner = owner
        self.path = path


class ToOne(Joined):
    """One related row or null.

    key: this model's column that holds what joins, the related row's primary key.
    far: the related model's column that holds it where that is not its primary key, but unique: `key="id",
        far="session_id"` leads from a session to the one payment that names it.
    only: what the related row must meet, with `far`: the column need be unique among those rows alone.
    select_related: the ORM path to the related row, which is then joined into this row's statement. Only for rows that
        are visible to everyone who can see this one.
    """

    def __init__(
        self,
        to: Callable[[], ResourceSerializerClass],
        *,
        key: str,
        far: str | None = None,
        only: models.Q | None = None,
        select_related: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(to, key=key, **kwargs)
        self.far = far
        self.only = only or models.Q()
        self.select_related = select_related


class ToMany(Joined):
    """A list of related rows. `key`: the ORM path from the related model to this model's primary key.

    order: the related model's columns that order the list, `-` for descending; its primary key comes last. Rows
        without a value stand last, or first where descending.
    only: what related rows must meet.
    present_if: columns of this model that are all 0 where the list is empty; then nothing is looked for.
    """

    many = True

    def __init__(
        self,
        to: Callable[[], ResourceSerializerClass],
        *,
        key: str,
        order: Sequence[str] = (),
        only: models.Q | None = None,
        present_if: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(to, key=key, **kwargs)
        self.order = tuple(order)
        self.only = only or models.Q()
        self.present_if = tuple(present_if)
