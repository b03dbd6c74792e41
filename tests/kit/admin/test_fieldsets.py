"""Which fields are in which section of a form."""

from django.contrib import admin

JSON = {"metadata", "data"}


def test_json_is_in_a_closed_section() -> None:
    """A form for a new customer has no field for programs before the addresses."""
    open_ones = [
        (type(screen).__name__, title)
        for screen in admin.site._registry.values()
        for fieldsets in (screen.fieldsets, getattr(screen, "add_fieldsets", None))
        for title, given in fieldsets or ()
        if JSON.intersection(given["fields"]) and "collapse" not in given.get("classes", ())
    ]
    assert open_ones == []
