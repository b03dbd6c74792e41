"""The schema as it is published."""

import pytest
from graphql import is_input_object_type, is_object_type, is_specified_scalar_type

from commerce.schema import SCHEMA
from tests.packages import ROOT

PUBLISHED = ROOT / "commerce" / "schema.graphql"
OURS = {
    name: type_
    for name, type_ in SCHEMA.types.type_map.items()
    if not (name.startswith("__") or is_specified_scalar_type(type_))
}
NO_LIMIT = {"permissions", "taxExemptCountries"}
"""Lists that are null where nothing is limited: an empty one would say that nothing is allowed."""


def test_the_copy_in_the_repository_is_current() -> None:
    assert PUBLISHED.read_text() == str(SCHEMA), "run 'make schema'"


@pytest.mark.parametrize("name", OURS)
def test_each_type_says_what_it_is(name: str) -> None:
    assert OURS[name].description


def test_names_are_spelled_as_graphql_spells_them() -> None:
    members = {
        member
        for type_ in OURS.values()
        if is_object_type(type_) or is_input_object_type(type_)
        for member in type_.fields
    }
    assert all("_" not in member and member[0].islower() for member in members)


def test_ids_and_lists_are_never_null() -> None:
    objects = [type_ for name, type_ in OURS.items() if is_object_type(type_) and name not in ("Deleted", "Claims")]
    for type_ in objects:
        for name, member in type_.fields.items():
            text = str(member.type)
            assert name != "id" or text == "ID!"
            assert "[" not in text or text.endswith("!]!") or name in NO_LIMIT
