"""Objects around resources, such as a list's page: what the document selects of them, and the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kit.graphql.fields.execution import PreshapedValue
from kit.graphql.fields.selections import TYPE_NAME, Nodes, Selecting
from kit.graphql.types.names import camel
from kit.query.selection import Selection
from kit.reads.declarations.fields import ResourceSerializerClass


@dataclass(frozen=True)
class Envelope:
    """The selection of one envelope.

    members: the names of its members by response key. selections: of the member that is a resource, or a list of them;
    by response key, since aliases can ask for it more than once, for other fields each time.
    """

    type_name: str
    members: Mapping[str, str]
    selections: Mapping[str, Selection]

    def asks_for(self, *names: str) -> bool:
        """Whether one of these members is selected."""
        return any(name in names for name in self.members.values())

    def filled(self, values: Mapping[str, Any], resources: Mapping[str, Any]) -> PreshapedValue:
        """The answer, out of plain members by name and resources by response key."""
        every = {TYPE_NAME: self.type_name, **values}
        return PreshapedValue(
            {key: resources[key] if key in resources else every[name] for key, name in self.members.items()}
        )


def read_envelope(
    nodes: Nodes, selecting: Selecting, *, type_name: str, resources: Mapping[str, ResourceSerializerClass]
) -> Envelope:
    """The nodes as asking for an envelope of that type. resources: its members that are resources, in snake_case."""
    members = selecting.members(type_name, nodes)
    names = {key: below[0].name.value for key, below in members.items()}
    serializers = {camel(name): serializer_class for name, serializer_class in resources.items()}
    selections = {
        key: selecting.selection(serializers[name], members[key]) for key, name in names.items() if name in serializers
    }
    return Envelope(type_name, names, selections)
