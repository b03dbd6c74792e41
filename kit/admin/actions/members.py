"""Buttons on the page of a group, such as a collection: its members, and adding and removing some."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.regrouping import regroup_now
from kit.admin.actions.row_action import row_action
from kit.admin.buttons import Button, is_not_deleted
from kit.admin.forms.regroup_form import words
from kit.admin.forms.row_choices import RowChoices
from kit.admin.forms.searched_rows import SearchedRows
from kit.admin.request_actor import may_all
from kit.editing.regrouping import Regrouping

View = Callable[[Any, HttpRequest, str], HttpResponse]


def member_buttons(relation: Any, *, searched_like: Any) -> tuple[Button, ...]:
    """The buttons for the rows with that relation. searched_like: a field that refers to one of these rows.

    Members are found in their own list, by its filter.
    """
    meta = relation.model._meta
    nouns = str(meta.verbose_name_plural)
    shows, changes = _shows(relation), partial(_changes, relation, searched_like)
    show = row_action(name=f"show_{nouns}", description=f"Show {nouns}", icon="list")(shows)
    add = row_action(name=f"add_{nouns}", description=f"Add {nouns}", icon="add")(changes(is_adding=True))
    remove = row_action(name=f"remove_{nouns}", description=f"Remove {nouns}", icon="cancel")(changes(is_adding=False))
    seen, groups = f"{meta.app_label}.view_{meta.model_name}", relation.related_model._meta
    may_change = may_all(
        seen, f"{meta.app_label}.change_{meta.model_name}", f"{groups.app_label}.view_{groups.model_name}"
    )
    return (
        Button(show, may_all(seen)),
        Button(add, may_change, is_not_deleted),
        Button(remove, may_change, is_not_deleted),
    )


def _shows(relation: Any) -> View:
    meta = relation.model._meta

    def show(screen: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        members = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        return redirect(f"{members}?{urlencode({f'{relation.name}__id__exact': unquote(object_id)})}")

    return show


def _changes(relation: Any, searched_like: Any, *, is_adding: bool) -> View:
    def change(screen: Any, request: HttpRequest, object_id: str) -> HttpResponse:
        group = screen.get_object_or_404(request, object_id)
        if not is_not_deleted(group):
            raise Http404
        members: Any = admin.site.get_model_admin(relation.model)
        form = _form(relation.model, searched_like, request)
        verb, preposition = ("Add", "to") if is_adding else ("Remove", "from")
        nouns, where = relation.model._meta.verbose_name_plural, f"{preposition} “{group}”"
        if not form.is_valid():
            nothing = screen.model._default_manager.none()
            return ask(screen, request, nothing, action="", question=f"{verb} {nouns} {where}", form=form, button=verb)
        groups = {relation.name: [group.pk]}
        how = Regrouping(groups, {}) if is_adding else Regrouping({}, groups)
        said = "Added" if is_adding else "Removed"
        keys = [row.pk for row in form.cleaned_data["members"]]
        regroup_now(members, request, keys, how, f"{said} {preposition} {words(relation.name)} “{group}”.")
        return redirect(screen.address(group.pk))

    return change


def _form(model: Any, searched_like: Any, request: HttpRequest) -> forms.Form:
    form = forms.Form(request.POST if is_confirmed(request) else None)
    form.fields["members"] = RowChoices(
        model._default_manager.filter(deleted_at=None),
        label=str(model._meta.verbose_name_plural).capitalize(),
        widget=SearchedRows(searched_like, admin.site),
        help_text="Type to find them.",
    )
    return form
