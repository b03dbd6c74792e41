"""What a resource offers, and how an app further up adds to it."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework import serializers

from catalog.models import ProductCategory
from kit.reads.declarations.computed import Embedded
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToOne
from kit.reads.declarations.shapes import shape_of
from kit.reads.filters.field_sets import FieldSet
from tests.kit.reads.reads import one
from tests.kit.reads.resources import category


def lower() -> ResourceSerializerClass:
    class Lower(ResourceSerializer):
        id = serializers.CharField()
        name = serializers.CharField()

        class Meta:
            model = ProductCategory

    return Lower


def test_scalars_relations_and_what_comes_along_in_their_order() -> None:
    class Mixed(ResourceSerializer):
        above = ToOne(lower, key="parent_category_id")
        id = serializers.CharField()
        inside = Embedded(lower, along=True)
        name = serializers.CharField()

    shape = shape_of(Mixed)
    assert (shape.scalars, list(shape.relations), shape.along) == (("id", "name"), ["above", "inside"], ("inside",))


class TestEnteredRelations:
    @pytest.mark.django_db
    def test_it_is_offered_and_read_like_those_declared(self) -> None:
        resource = lower()
        fields = FieldSet(lambda: shape_of(resource), defaults="*above")
        resource.register_relation("above", ToOne(lambda: resource, key="parent_category_id"))
        assert fields.parse(None).relation("above") is not None
        category("a")
        category("b", parent="a")
        assert one(resource, "b", "above.name") == {"id": "b", "above": {"id": "a", "name": "a"}}

    def test_a_taken_name_is_refused(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="Lower has a field 'name' already"):
            lower().register_relation("name", ToOne(lower, key="id"))

    def test_too_late_is_refused_and_changes_nothing(self) -> None:
        resource = lower()
        shape_of(resource)
        with pytest.raises(ImproperlyConfigured, match="the shape of Lower was read already"):
            resource.register_relation("above", ToOne(lower, key="id"))
        assert "above" not in resource._declared_fields

    def test_only_the_class_itself_has_it(self) -> None:
        base = lower()
        derived = type("Derived", (base,), {})
        derived.register_relation("above", ToOne(lower, key="parent_category_id"))
        assert "above" not in shape_of(base).relations
        assert "above" in shape_of(derived).relations
        late = type("Late", (base,), {})
        late.register_relation("above", ToOne(lower, key="parent_category_id"))
        assert "above" in shape_of(late).relations
