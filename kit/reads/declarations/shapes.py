"""What a serializer class offers for selection."""

from collections.abc import Callable
from functools import cache

from kit.reads.declarations.fields import Relation, ResourceSerializerClass
from kit.reads.filters.field_sets import Shape


@cache
def shape_of(serializer_class: ResourceSerializerClass) -> Shape:
    """The resource's scalars and relations, in the order of their declaration. From now on they are fixed."""
    serializer_class.shape_is_read = True
    fields = serializer_class._declared_fields
    relations = {name: field for name, field in fields.items() if isinstance(field, Relation)}
    return Shape(
        scalars=tuple(name for name in fields if name not in relations),
        relations={name: _lazily(relation) for name, relation in relations.items()},
        by_request=getattr(serializer_class.Meta, "by_request", frozenset()),
        along=tuple(name for name, relation in relations.items() if relation.along),
    )


def _lazily(relation: Relation) -> Callable[[], Shape]:
    return lambda: shape_of(relation.to())
