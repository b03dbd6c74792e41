"""A form field for each thing that rules of promotions compare, as carts/promotions/rule_declarations.py has them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from unfold.widgets import UnfoldAdminSelect2MultipleWidget, UnfoldAdminSelectWidget

from carts.models import PromotionRule
from carts.promotions.rule_declarations import FieldType, RuleAttribute, Source, attributes_of
from carts.rule_attributes import AMOUNTS
from carts.states import Comparison, RuleKind
from kit.admin.base_admin import BaseAdmin
from kit.admin.forms.amount_fields import AmountField, CountField
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.searched_rows import SearchedRows
from kit.admin.forms.text_fields import Lines

Sent = Sequence[Any]
"""What a browser sends of a ComparedRowsField: ids, and how they are compared."""
Terms = tuple[str, list[str]]
"""The operator and the values of a rule."""
_OPERATORS = ((Comparison.IN.value, "included"), (Comparison.NOT_EQUAL.value, "excluded"))
_NARROW = {"aria-label": "Which", "style": "min-width: 8rem"}
_FLAGS = (("", "—"), ("true", "Yes"), ("false", "No"))


def field_name(kind: str, declared: RuleAttribute) -> str:
    """`target_rules_product`."""
    return f"{kind}_{declared.id}"


RULE_FIELDS: Mapping[str, tuple[RuleKind, RuleAttribute]] = {
    field_name(kind, declared): (kind, declared) for kind in RuleKind for declared in attributes_of(kind)
}
"""What each field is about, by its name."""


@dataclass(frozen=True)
class ComparedRows:
    """The rows that a rule names by their ids, and how it compares them."""

    operator: str
    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"{dict(_OPERATORS)[self.operator]}: {', '.join(self.ids)}"


class NamedRows(RowChoices):
    """Rows of any table by the names that its screen gives them. chosen: those whose names are read at once."""

    def __init__(self, rows: QuerySet[Model], chosen: Sequence[str], widget: forms.Widget) -> None:
        super().__init__(rows, required=False, widget=widget)
        self._screen = screen_of(rows.model)
        self._names = self._read(rows.filter(pk__in=chosen)) if chosen else {}

    def know(self, ids: Sequence[str]) -> bool:
        """Whether all these rows, which were chosen, still exist."""
        return self._names.keys() >= {*ids}

    def label_from_instance(self, obj: Model) -> str:
        return self._names.get(obj.pk) or self._read([obj])[obj.pk]

    def _read(self, rows: Iterable[Model]) -> dict[str, str]:
        return dict(self._screen.labels(rows)) if self._screen else {row.pk: str(row) for row in rows}


class RuleWidget(forms.MultiWidget):
    """A picker, and beside it whether the picked rows are included or excluded."""

    template_name = "commerce/side_by_side.html"

    def __init__(self, picker: forms.Widget) -> None:
        super().__init__([picker, UnfoldAdminSelectWidget(attrs=_NARROW, choices=_OPERATORS)])

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0" if id_ else ""

    def decompress(self, value: ComparedRows | None) -> list[object]:
        return [list(value.ids), value.operator] if value else [[], Comparison.IN.value]


class ComparedRowsField(forms.Field):
    """Picked rows, included or excluded. Its value is ComparedRows; None for no rows."""

    def __init__(self, source: Source, chosen: Sequence[str], label: str) -> None:
        rows = source.model._default_manager.filter(Q(deleted_at=None) | Q(pk__in=chosen))
        if any(field.name == "product" for field in source.model._meta.fields):
            rows = rows.select_related("product")  # the screen's names have its title
        self.rows = NamedRows(rows, chosen, picker_of(source.model))
        super().__init__(required=False, widget=RuleWidget(self.rows.widget), label=label)

    def clean(self, value: Sent) -> ComparedRows | None:
        ids = tuple(sorted(row.pk for row in self.rows.clean(value[0])))
        return ComparedRows(_operator(value), ids) if ids else None

    def has_changed(self, initial: ComparedRows | None, data: Sent | None) -> bool:
        data = data or ((), "")
        ids = {*map(str, data[0] or ())}
        if initial is None or not ids:
            return bool(ids) != (initial is not None)
        return (_operator(data), ids) != (initial.operator, {*initial.ids})

    def bound_data(self, data: Sent, initial: object) -> list[object]:
        return [self.rows.bound_data(data[0], None), _operator(data)]


def _operator(sent: Sent) -> str:
    return Comparison.NOT_EQUAL.value if sent[1] == Comparison.NOT_EQUAL else Comparison.IN.value


def picker_of(model: type[Model]) -> forms.Widget:
    """A picker that searches on the model's screen; of a table without a screen, a menu of all rows."""
    if not admin.site.is_registered(model):
        menu: forms.Widget = UnfoldAdminSelect2MultipleWidget()
        return menu
    return SearchedRows(relation_to(model), admin.site)


def relation_to(model: type[Model]) -> Any:
    """A column that refers to the model by its primary key, as Django's pickers want one."""
    return next(each.field for each in model._meta.related_objects if each.field.target_field.primary_key)


def screen_of(model: type[Model]) -> BaseAdmin[Any] | None:
    """The screen of the model, if it has one."""
    screen = admin.site.get_model_admin(model) if admin.site.is_registered(model) else None
    return screen if isinstance(screen, BaseAdmin) else None


def rule_field(declared: RuleAttribute, chosen: Sequence[str]) -> forms.Field:
    """The field. chosen: the ids that it shows, stored or sent, if its values name rows."""
    label, source = declared.label, declared.rows()
    if source is not None:
        return ComparedRowsField(source, chosen, label)
    if declared.field_type == FieldType.FLAG:
        return forms.ChoiceField(label=label, choices=_FLAGS, required=False, widget=UnfoldAdminSelectWidget)
    if declared.field_type == FieldType.NUMBER:
        kind = AmountField if declared.value in AMOUNTS else CountField
        return kind(label=f"{label}, at least", required=False, min_value=0)
    return Lines(label=label, required=False, help_text="One per line.")


def initial_of(declared: RuleAttribute, rule: PromotionRule) -> object:
    """The rule as the field shows it; None where the field cannot say it."""
    match declared.field_type:
        case FieldType.ROWS:
            is_excluding = rule.operator == Comparison.NOT_EQUAL
            return ComparedRows(_OPERATORS[is_excluding][0], tuple(sorted(rule.values)))
        case FieldType.NUMBER if rule.operator == Comparison.GREATER_OR_EQUAL:
            number = Decimal(rule.values[0])
            return number if declared.value in AMOUNTS or number % 1 else int(number)
        case FieldType.FLAG:
            return rule.values[0]
        case FieldType.TEXT if rule.operator != Comparison.NOT_EQUAL:
            return list(rule.values)
    return None


def terms_of(declared: RuleAttribute, value: Any) -> Terms | None:
    """The rule that the field's valid value means; None for none."""
    if value in (None, "", []):
        return None
    match declared.field_type:
        case FieldType.ROWS:
            return value.operator, list(value.ids)
        case FieldType.NUMBER:
            return Comparison.GREATER_OR_EQUAL, [f"{Decimal(value).normalize():f}"]
        case FieldType.FLAG:
            return Comparison.EQUAL, [value]
    return Comparison.IN, value
