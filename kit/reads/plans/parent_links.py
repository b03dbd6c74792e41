"""The path from the root to a level: its rows may belong to rows of a level above it."""

from dataclasses import dataclass

from django.db import models

from kit.query.selection import Constant, Selection
from kit.reads.declarations.fields import Joined, ResourceSerializerClass, ToOne


@dataclass(frozen=True, slots=True)
class ParentLink:
    """The relation that leads to a level, and the models whose rows its rows belong to."""

    came_by: Joined | None = None
    owners: frozenset[type[models.Model]] = frozenset()

    def down(self, holder: type[models.Model], relation: Joined) -> "ParentLink":
        """The link of a level below. Relations inside the owners keep them; all others start with none."""
        owners = self.owners if relation.inverse or relation.inside else frozenset()
        return ParentLink(relation, owners | {holder} if relation.inverse else owners)

    def leads_back(self, serializer_class: ResourceSerializerClass, name: str) -> bool:
        """Whether the relation of that name leads to a row of a level above, whose id this row has."""
        relation = serializer_class._declared_fields[name]
        if not isinstance(relation, ToOne) or relation.far is not None:
            return False
        if self.came_by is not None and self.came_by.inverse == name:
            return True
        target = relation.to()
        return target.Meta.model in self.owners and (relation.owner or _leads_to(target, serializer_class, name))


ROOT = ParentLink()


def reference_keys(below: Selection) -> dict[str, Constant | None] | None:
    """The keys of an object that holds the id alone.

    For a GraphQL selection, exactly what it selects: None if that is more than the id and constants. REST returns
    `{id}`, whatever is selected.
    """
    if below.order is None:
        return {"id": None}
    named = dict(below.names)
    keys: dict[str, Constant | None] = {}
    for key in below.order:
        name = named.get(key, key)
        if name != "id" and not isinstance(name, Constant):
            return None
        keys[key] = name if isinstance(name, Constant) else None
    return keys


def _leads_to(owner: ResourceSerializerClass, serializer_class: ResourceSerializerClass, name: str) -> bool:
    """Whether a relation of the owner declares this one as its inverse."""
    return any(
        isinstance(field, Joined) and field.inverse == name and field.to() is serializer_class
        for field in owner._declared_fields.values()
    )
