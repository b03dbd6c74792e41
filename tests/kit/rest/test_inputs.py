"""Bodies: what is asked of which field."""

import pytest
from rest_framework import serializers

from kit.rest.requests.input_fields import BooleanField, CharField
from kit.rest.requests.inputs import Input


class WishInput(Input):
    """A wish."""

    title = CharField()
    note = CharField(required=False, allow_null=True)
    is_urgent = BooleanField(required=False)


def taken(data: object) -> object:
    wish = WishInput(data=data)
    wish.is_valid(raise_exception=True)
    return wish.validated_data


def test_what_may_be_left_out_and_is_has_no_value() -> None:
    assert taken({"title": "Tea"}) == {"title": "Tea"}
    assert taken({"title": "Tea", "note": None, "is_urgent": False}) == {
        "title": "Tea",
        "note": None,
        "is_urgent": False,
    }


def test_every_field_with_a_problem_is_reported_those_left_out_too() -> None:
    with pytest.raises(serializers.ValidationError) as refused:
        taken({"note": 7, "is_urgent": "yes"})
    assert set(refused.value.get_full_details()) == {"title", "note", "is_urgent"}
