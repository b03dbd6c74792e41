"""The part of the form of promotions that is about their rules."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from carts.admin.promotions.rule_fields import (
    RULE_FIELDS,
    ComparedRowsField,
    field_name,
    initial_of,
    rule_field,
    terms_of,
)
from carts.models import PromotionRule
from carts.promotions.rule_declarations import BY_VALUE
from carts.promotions.rule_editing import rules_of
from carts.states import RuleKind
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.request_actor import request_actor
from kit.domain.actor import Actor
from kit.values.text import is_storable

Rule = dict[str, Any]
"""A rule as its verbs take it."""


class RuleForm(SoftDeletionForm):
    """Each of RULE_FIELDS shows a stored rule. Rules that no field can say, or may show, stay as they are."""

    shown_to: HttpRequest
    locals().update({name: forms.Field(required=False) for name in RULE_FIELDS})  # show_rules makes them

    def show_rules(self) -> None:
        """Make the fields for what is stored, for what was sent, and for what the user may view."""
        self._stored: dict[str, PromotionRule] = {}
        self._kept: list[PromotionRule] = []
        for rule in [] if self.is_new else rules_of([self.instance.pk])[self.instance.pk]:
            name, value = field_name(rule.kind, BY_VALUE[rule.attribute]), initial_of(BY_VALUE[rule.attribute], rule)
            if value is None or name in self._stored:
                self._kept.append(rule)
            else:
                self._stored[name], self.initial[name] = rule, value
        actor = request_actor(self.shown_to)
        for name in RULE_FIELDS:
            self.fields[name] = self._made(name, actor) or self._hidden(name)

    def _made(self, name: str, actor: Actor) -> forms.Field | None:
        """None where the user may not view the rows that a rule names, or they are gone."""
        (_, declared), rule, data = RULE_FIELDS[name], self._stored.get(name), self.data
        source, ids = declared.rows(), []
        if source is not None and not actor.may(source.permission):
            return None
        if source is not None and hasattr(data, "getlist"):
            ids = [key for key in data.getlist(f"{self.add_prefix(name)}_0") if is_storable(key)]
        field = rule_field(declared, [*(rule.values if rule else ()), *ids])
        is_gone = isinstance(field, ComparedRowsField) and rule and not field.rows.know(rule.values)
        return None if is_gone else field

    def _hidden(self, name: str) -> forms.Field:
        rule = self._stored.pop(name, None)
        self._kept += [rule] if rule else []
        self.initial[name] = "Not shown" if rule else ""
        label, widget = RULE_FIELDS[name][1].label, UnfoldAdminTextInputWidget()
        return forms.CharField(label=label, required=False, disabled=True, widget=widget)

    def rules(self, kind: RuleKind) -> Iterator[Rule]:
        """All of that kind, once the form is valid, with the ids of those that are stored."""
        yield from (_said(rule) for rule in self._kept if rule.kind == kind)
        for name, (of_kind, declared) in RULE_FIELDS.items():
            if of_kind != kind or self.fields[name].disabled:
                continue
            stored, terms = self._stored.get(name), terms_of(declared, self.cleaned_data[name])
            if stored and name not in self.changed_data:
                yield _said(stored)
            elif terms:
                yield {**({"id": stored.pk} if stored else {}), **_terms(declared.value, *terms)}


def _said(rule: PromotionRule) -> Rule:
    return {"id": rule.pk, **_terms(rule.attribute, rule.operator, rule.values)}


def _terms(attribute: str, operator: str, values: list[str]) -> Rule:
    return {"attribute": attribute, "operator": operator, "values": values}
