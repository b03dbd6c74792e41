"""A GraphQL selection set as the projection's Selection: aliases, fragments, @skip, @include and __typename settled.

The answer then comes in the response's own shape, and nobody walks it again.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import FieldNode, FragmentDefinitionNode, GraphQLObjectType, GraphQLSchema
from graphql.execution.collect_fields import collect_sub_fields

from kit.errors import InvalidData
from kit.graphql.documents.limits import MAX_KEYS, MAX_ROOT_FIELDS
from kit.graphql.types.types import member_names, type_name
from kit.query.selection import MAX_DEPTH, MAX_RELATIONS, Constant, Selection
from kit.reads.declarations.computed import Embedded
from kit.reads.declarations.fields import Joined, Relation, ResourceSerializerClass

TYPE_NAME = "__typename"
MAX_TREE_LEVELS = 12
"""Levels of one tree, which together count as one relation: documents can read whole trees, as REST does by a flag."""
Nodes = list[FieldNode]


@dataclass(frozen=True)
class Place:
    """The position of a selection set.

    path: the relations that lead to it. depth: how many relations they count as. tree: the resource whose tree the last
    of them goes up or down, if any. levels: how many of them in a row do so.
    """

    path: tuple[str, ...] = ()
    depth: int = 0
    tree: ResourceSerializerClass | None = None
    levels: int = 0

    def below(self, member: str, of: ResourceSerializerClass, relation: Relation) -> "Place":
        """The place that the resource's relation leads to. Raises InvalidData if it is too deep."""
        path = (*self.path, member)
        if not (isinstance(relation, Joined) and relation.path is not None):
            place = Place(path, self.depth + 1)
        elif self.tree is of:
            place = Place(path, self.depth, of, self.levels + 1)
        else:
            place = Place(path, self.depth + 1, of, 1)
        place.check()
        return place

    def check(self) -> None:
        """Raise InvalidData if the place is too deep."""
        if self.depth > MAX_DEPTH:
            raise InvalidData(
                f"The following fields expand more than the maximum of {MAX_DEPTH} allowed relations: "
                f"{'.'.join(self.path)}"
            )
        if self.levels > MAX_TREE_LEVELS:
            raise InvalidData(
                f"The following fields go through more than the maximum of {MAX_TREE_LEVELS} levels of a tree: "
                f"{'.'.join(self.path)}"
            )


@dataclass
class Selecting:
    """One operation's selection sets while they are read; relations and readings are counted over all of them."""

    schema: GraphQLSchema
    fragments: dict[str, FragmentDefinitionNode]
    variables: dict[str, Any]
    relations: int = 0
    readings: int = 0

    def members(self, of: str, nodes: Nodes) -> Mapping[str, Nodes]:
        """What the nodes ask for of that object type: by response key, the nodes that ask for it."""
        typed = self.schema.get_type(of)
        assert isinstance(typed, GraphQLObjectType)  # noqa: S101 - the caller has the name from the schema's own types
        return collect_sub_fields(self.schema, self.fragments, self.variables, typed, nodes)

    def selection(self, serializer_class: ResourceSerializerClass, nodes: Nodes) -> Selection:
        """What the nodes ask for of a resource: one reading of it.

        Raises InvalidData where readings are too many, relations too deep or too many.
        """
        self.readings += 1
        if self.readings > MAX_ROOT_FIELDS:
            raise InvalidData(
                f"The operation reads more than {MAX_ROOT_FIELDS} pages and resources; each alias of one is a reading"
            )
        return self._selection(serializer_class, nodes, Place())

    def _selection(self, serializer_class: ResourceSerializerClass, nodes: Nodes, place: Place) -> Selection:
        of, known = type_name(serializer_class), member_names(serializer_class)
        scalars: list[str] = []
        relations: list[tuple[str, Selection]] = []
        names: list[tuple[str, str | Constant]] = []
        members = self.members(of, nodes)
        written: Counter[str] = Counter()
        for key, nodes_of_member in members.items():
            member = nodes_of_member[0].name.value
            field = None if member == TYPE_NAME else serializer_class._declared_fields[known[member]]
            if not isinstance(field, Relation) or isinstance(field, Embedded):
                written[member] += 1  # relations of their own statement are counted by _admit
                if written[member] > MAX_KEYS:
                    raise InvalidData(f"The field '{member}' stands under more than {MAX_KEYS} keys of one object")
            if field is None:
                scalars.append(key)
                names.append((key, Constant(of)))
                continue
            name = known[member]
            if key != name:
                names.append((key, name))
            if isinstance(field, Embedded):  # a part of its parent, which REST includes
                relations.append((key, self._selection(field.to(), nodes_of_member, place)))
            elif isinstance(field, Relation):
                self._count_statement()
                below = place.below(member, serializer_class, field)
                relations.append((key, self._selection(field.to(), nodes_of_member, below)))
            else:
                scalars.append(key)
        return Selection(tuple(scalars), tuple(relations), tuple(names), tuple(members))

    def _count_statement(self) -> None:
        """Count one statement: each relation takes one, and so does each level of a tree."""
        self.relations += 1
        if self.relations > MAX_RELATIONS:
            raise InvalidData(f"Requested fields expand more than the maximum of {MAX_RELATIONS} relations")
