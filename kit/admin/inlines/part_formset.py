"""The rows of a table of parts, as they were submitted: checked, compared, and written by the verbs of the table."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.forms.formsets import INITIAL_FORM_COUNT, TOTAL_FORM_COUNT
from unfold.forms import PaginationInlineFormSet

from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.soft_deletion_form import SoftDeletionForm
from kit.admin.history.conflicts import refuse_differing, sent_by
from kit.admin.history.shown_values import MEANWHILE, ShownValues, saved_by
from kit.admin.request_actor import request_actor
from kit.domain import soft_deletion
from kit.domain.actor import Actor
from kit.domain.base_model import NOT_DELETED, BaseModel
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.values.text import whole_number

TAKEN = "Another row has the same value."
IMPOSSIBLE_COUNTS = "{prefix}-TOTAL_FORMS and {prefix}-INITIAL_FORMS are not possible numbers of rows. Reload the page."


class PartFormSet(PaginationInlineFormSet):  # type: ignore[misc]
    """Parts are written by the verbs of their table; violations of uniqueness are reported at their field.

    may_overwrite: whether the user may change or delete stored rows.
    """

    verbs: ClassVar[RowVerbs[Any]]
    may_overwrite: ClassVar[bool]
    has_conflict = False
    is_edited = True
    default_error_messages = {"too_many_forms": "At most %(num)d rows can be submitted at once. Reload the page."}

    def total_form_count(self) -> int:
        """0 if more rows are submitted than a page holds: the form set is refused without building their forms."""
        count: int = super().total_form_count()
        is_refused = self.is_bound and self.management_form.cleaned_data[TOTAL_FORM_COUNT] > self.absolute_max
        return 0 if is_refused else count

    def _refuse_impossible_counts(self) -> None:
        """Django would ignore the rows beyond such a number."""
        counts = self.management_form.cleaned_data
        if not 0 <= counts[INITIAL_FORM_COUNT] <= counts[TOTAL_FORM_COUNT]:
            raise ValidationError(IMPOSSIBLE_COUNTS.format(prefix=self.prefix))

    def get_page_num(self) -> int:
        """The page that the URL or the form asks for, else the first: the theme fails on digits such as `²`."""
        key = self.get_pagination_key()
        asked = (whole_number(sent.get(key, "")) for sent in (self.request.GET, self.request.POST))
        return next(filter(None, asked), 1)

    def add_fields(self, form: SoftDeletionForm, index: int | None) -> None:
        super().add_fields(form, index)
        key = form.fields[self.model._meta.pk.name]
        rows, widget = self.model._default_manager.all(), forms.HiddenInput
        form.fields[self.model._meta.pk.name] = RowChoice(rows, initial=key.initial, required=False, widget=widget)
        for name, field in form.fields.items():  # screen readers do not take labels from a table's head
            field.widget.attrs.setdefault("aria-label", str(form[name].label))

    def of_parent(self) -> QuerySet[Any]:
        """The parent's rows on all pages.

        A new parent has none: its key is None while the form is checked, and a filter by None would find rows without a
        parent.
        """
        rows: QuerySet[Any] = self.model._default_manager.all()
        is_new = self.instance.pk is None
        return rows.none() if is_new else rows.filter(**{self.fk.attname: self.instance.pk})

    @property
    def remaining(self) -> list[Any]:
        """The filled-in forms that are not ticked for deletion."""
        kept = [form for form in self.forms if not (self.can_delete and self._should_delete_form(form))]
        return [form for form in kept if form not in self.extra_forms or form.has_changed()]

    def clean(self) -> None:
        super().clean()
        self._refuse_impossible_counts()
        for form in self.initial_forms:
            if form.is_new:
                raise ValidationError("A row of this table was deleted since this page was opened. Reload the page.")
        for fields in soft_deletion.unique_together(self.model):
            self._report_repeated(fields)
        for fields in soft_deletion.always_unique(self.model):
            self._report_taken(fields)
        shown = sent_by(self.form.shown_to)
        if shown is not None and self.prefix in shown.parts and self.may_overwrite:
            self._refuse_conflicts(shown, shown.parts[self.prefix])

    def _refuse_conflicts(self, shown: ShownValues, rows: Mapping[str, object]) -> None:
        """Refuse to overwrite rows that were changed, added or deleted since the page was opened."""
        stored = {str(row.pk): row for row in self.get_queryset()}
        changed = [
            refuse_differing(form, rows[str(form.instance.pk)], self.saved_with(), shown.at)
            for form in self.initial_forms
            if str(form.instance.pk) in rows
        ]
        added = [str(row) for key, row in stored.items() if key not in rows]
        gone = len(rows.keys() - stored.keys())
        self.has_conflict = bool(any(changed) or added or gone)
        saved = saved_by(self.saved_with(), shown.at) if added or gone else ""
        if added:
            raise ValidationError(f"Added since this page was opened, {saved}: {', '.join(added)}. {MEANWHILE}")
        if gone:
            raise ValidationError(f"{gone} of these rows were deleted since this page was opened, {saved}.")

    def saved_with(self) -> Model:
        """The row whose history records who saved the parts."""
        saved: Model = self.instance
        return saved

    def shown_rows(self) -> dict[str, SoftDeletionForm | None]:
        """The forms of the stored rows by primary key; None for rows that were added since the page was opened."""
        forms_of = {str(form.instance.pk): form for form in self.initial_forms}
        return {str(row.pk): forms_of.get(str(row.pk)) for row in self.get_queryset()}

    def _report_repeated(self, fields: tuple[str, ...]) -> None:
        """Report all but the first of the forms that share a value."""
        seen: Counter[tuple[object, ...]] = Counter()
        for form in self.remaining:
            values = tuple(getattr(form.instance, name) for name in self._own(fields))
            seen[values] += 1
            if None not in values and seen[values] > 1 and fields[-1] in form.fields and not form.errors:
                form.add_error(fields[-1], TAKEN)

    def _report_taken(self, fields: tuple[str, ...]) -> None:
        """Report forms whose value a row has that is not on this page."""
        changed = [form for form in self.remaining if form.has_changed() and not form.errors]
        others = self.of_parent().filter(NOT_DELETED).exclude(pk__in=[form.instance.pk for form in self.forms])
        taken = set(others.values_list(*self._own(fields))) if changed else set()
        for form in changed:
            if tuple(getattr(form.instance, name) for name in self._own(fields)) in taken:
                form.add_error(fields[-1], TAKEN)

    def _own(self, fields: tuple[str, ...]) -> list[str]:
        """The fields that differ between the parts."""
        names = [name for name in fields if name != self.fk.name]
        return [field.attname for field in self.model._meta.concrete_fields if field.name in names]

    def save(self, commit: bool = True) -> list[Model]:
        """Collect the changes, for the history too; then write them all in one call of each verb of the table."""
        self._written: list[SoftDeletionForm] = []
        self._gone: list[str] = []
        saved: list[Model] = super().save(commit)
        if commit:
            self._write(self.verbs, request_actor(self.form.shown_to))
        return saved

    def _write(self, verbs: RowVerbs[Any], actor: Actor) -> None:
        if self._gone:
            verbs.delete(actor=actor, ids=self._gone)
        if self._written:
            edited = verbs.put(actor=actor, states=[self.state_of(form, verbs.state) for form in self._written])
            for form, one in zip(self._written, edited, strict=True):
                soft_deletion.mark_stored(form.instance, one.row)

    def state_of(self, form: SoftDeletionForm, kind: type[RowState]) -> RowState:
        """The state of the part that the form describes; a new one names its parent."""
        return form.state(kind, **({self.fk.attname: self.instance.pk} if form.is_new else {}))

    def save_new(self, form: SoftDeletionForm, commit: bool = True) -> Model:
        setattr(form.instance, self.fk.name, self.instance)
        return self._collect(form)

    def save_existing(self, form: SoftDeletionForm, obj: Model, commit: bool = True) -> Model:
        return self._collect(form)

    def _collect(self, form: SoftDeletionForm) -> Model:
        self._written.append(form)
        row: Model = form.instance
        return row

    def delete_existing(self, obj: BaseModel, commit: bool = True) -> None:
        self._gone.append(obj.pk)
