"""The form that puts selected rows into groups and takes them out."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.admin import ModelAdmin
from django.http import QueryDict
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from kit.admin.forms.row_choices import RowChoice, RowChoices
from kit.admin.forms.searched_rows import SearchedRow, SearchedRows
from kit.editing.regrouping import Regrouping

_ADD, _REMOVE = "add", "remove"


class RegroupForm(forms.Form):
    """For each of the relations, the groups to add the rows to, and those to remove them from."""

    def __init__(self, data: QueryDict | None, *, screen: ModelAdmin[Any], relations: Sequence[str]) -> None:
        super().__init__(data)
        self.relations = relations
        for name in relations:
            self.fields[f"{_ADD}_{name}"] = _picker(screen, name, f"Add to {words(name)}", is_single=True)
            self.fields[f"{_REMOVE}_{name}"] = _picker(screen, name, f"Remove from {words(name)}")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            for name in self.relations:
                if {*self._chosen(_ADD, name)} & {*self._chosen(_REMOVE, name)}:
                    self.add_error(f"{_REMOVE}_{name}", "These are also chosen to be added.")
            if not any(self.cleaned_data.values()):
                self.add_error(None, "Choose what to add or remove.")
        return cleaned

    @property
    def regrouping(self) -> Regrouping:
        """What the valid form says."""
        return Regrouping(*({name: [row.pk for row in rows] for name, rows in self._by(verb)} for verb in _VERBS))

    @property
    def record(self) -> str:
        """For the history, such as `Added to tags “new”. Removed from collection “Teas”.`."""
        return " ".join(
            f"{said} {words(name)} {', '.join(f'“{row}”' for row in rows)}."
            for verb, said in _VERBS.items()
            for name, rows in self._by(verb)
        )

    def _by(self, verb: str) -> list[tuple[str, list[Any]]]:
        chosen = ((name, self._chosen(verb, name)) for name in self.relations)
        return [(name, rows) for name, rows in chosen if rows]

    def _chosen(self, verb: str, name: str) -> list[Any]:
        value = self.cleaned_data.get(f"{verb}_{name}")
        return [] if value is None else list(value) if hasattr(value, "__iter__") else [value]


_VERBS: Mapping[str, str] = {_ADD: "Added to", _REMOVE: "Removed from"}


def _picker(screen: ModelAdmin[Any], name: str, label: str, *, is_single: bool = False) -> forms.Field:
    """It searches where the form of a row does; otherwise there are few groups."""
    field: Any = screen.opts.get_field(name)
    groups = field.remote_field.model._default_manager.filter(deleted_at=None)
    if is_single and not field.many_to_many:
        return RowChoice(groups, label=label, required=False, widget=SearchedRow(field, screen.admin_site))
    is_searched = name in screen.autocomplete_fields
    widget = SearchedRows(field, screen.admin_site) if is_searched else UnfoldAdminCheckboxSelectMultipleWidget()
    return RowChoices(groups, label=label, required=False, widget=widget)


def words(name: str) -> str:
    """`sales channels` for the relation `sales_channels`."""
    return name.replace("_", " ")
