"""What a serializer class offers for selection."""

from collections.abc import Callable
from functools import cache

from commerce.core.selection import Shape
from commerce.projection.fields import Relation, ResourceSerializerClass


@cache
def shape_of(serializer_class: ResourceSerializerClass) -> Shape:
    """The resource's scalars and relations, in the order of their declaration."""
    fields = serializer_class._declared_fields
    return Shape(
        scalars=tuple(name for name, field in fields.items() if not isinstance(field, Relation)),
        relations={name: _lazily(field) for name, field in fields.items() if isinstance(field, Relation)},
        by_request=getattr(serializer_class.Meta, "by_request", frozenset()),
    )


def _lazily(relation: Relation) -> Callable[[], Shape]:
    return lambda: shape_of(relation.to())
