"""The base of all screens of the admin site."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.db import connection
from django.db.models import Field, Q, QuerySet
from django.forms import Media
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from unfold.admin import ModelAdmin
from unfold.dataclasses import UnfoldAction

from kit.admin.buttons import Button, enter_buttons, is_offered, keep_filters
from kit.admin.forms.plain_fields import PLAIN_FIELDS, plain_field
from kit.admin.forms.row_choices import only_choice
from kit.admin.history.change_message import ChangeMessage, ModelForm, message_of
from kit.admin.history.conflicts import conflict_checked, hidden_values, is_busy, serve_form
from kit.admin.history.saved_once import note_changes, save_once
from kit.admin.lists.columns import add_links, enter_columns
from kit.admin.lists.kept_list import LastPageAtMost, with_list
from kit.admin.lists.lean_pages import of_new_row, without_prepopulating
from kit.admin.lists.linked_rows import LinkedList
from kit.admin.lists.page_turns import say_saved, turned_address
from kit.admin.lists.searchable import are_keys, is_searchable, reporting_wrong_lookups, warn_of_words
from kit.admin.lists.word_search import best_first, folded_rows, found_rows, is_searched_by_words
from kit.admin.sections import Section
from kit.database.locking import Row, lock_rows
from kit.values.text import is_storable


class BaseAdmin(ModelAdmin, Generic[Row]):  # type: ignore[misc]
    """The screens of one model.

    section: the heading that lists it in the sidebar. menu_title, row_title: what the menu, paths and titles call the
    list and one row where the model's own names will not do. menu_rank: screens of a section stand by it, then by name.
    daily: `view`, `add` or `change`: users with that permission use the screen daily. Others have it behind More.
    icon: the name of its Material Symbol.
    nothing_yet: what an empty list would have, and how it gets there. made_on: the model whose screen makes the rows.
    unreadable: columns that nobody may read. Django lets users filter a list by any column of its table, which would
    reveal such values letter by letter.
    is_in_palette: whether the palette (Ctrl+K) finds the rows. pickable: which of them pickers offer.
    deletion_note: a sentence that follows the question whether rows are to be deleted.
    tree_path: of rows in a tree, the column that sorts them with each parent right before all below it.
    columns: what the list shows, where other screens or tables show it, too. change_list: Django's ChangeList for it.
    buttons, list_buttons: those above the form of each row and above the list that are no methods of the screen.
    preselected: relations that are filled in for a new row if they can refer to a single one.
    is_saved_once: whether the form changes amounts by a difference (see saved_once.py).
    is_shown_once: whether only the page that follows the form for a new row shows its secret: it has a single button.
    """

    section: ClassVar[Section]
    icon: ClassVar[str]
    nothing_yet: ClassVar[str] = ""
    made_on: ClassVar[str] = ""
    menu_title: ClassVar[str] = ""
    row_title: ClassVar[str] = ""
    menu_rank: ClassVar[int] = 0
    daily: ClassVar[str] = ""
    unreadable: ClassVar[frozenset[str]] = frozenset()
    is_in_palette: ClassVar[bool] = False
    pickable: ClassVar[Q] = Q()
    deletion_note: ClassVar[str] = ""
    tree_path: ClassVar[str] = ""
    columns: ClassVar[tuple[Any, ...]] = ()
    change_list: ClassVar[type[LinkedList]] = LinkedList
    buttons: ClassVar[tuple[Button, ...]] = ()
    list_buttons: ClassVar[tuple[Button, ...]] = ()
    preselected: ClassVar[tuple[str, ...]] = ()
    is_saved_once: ClassVar[bool] = False
    is_shown_once: ClassVar[bool] = False

    ordering: ClassVar[Any] = ("-created_at", "-id")
    list_per_page = 50
    list_max_show_all = 50
    paginator: type = LastPageAtMost
    show_full_result_count = False  # a filtered list would also count all rows
    change_list_template: Any = "admin/lean_list.html"
    change_form_before_template = "admin/shown_values.html"
    formfield_overrides = PLAIN_FIELDS

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        enter_columns(cls)
        enter_buttons(cls)

    @property
    def title(self) -> str:
        """The name of the screen."""
        return self.menu_title or str(capfirst(self.opts.verbose_name_plural))

    @property
    def media(self) -> Media:
        whole: Media = super().media
        return whole if self.prepopulated_fields else without_prepopulating(whole)

    def labels(self, rows: Iterable[Row]) -> Mapping[str, str]:
        """The labels of rows in a picker, by primary key; for all at once, since each would cost a statement."""
        return {row.pk: str(row) for row in rows}

    def details(self, rows: Iterable[Row]) -> Mapping[str, Sequence[str]]:
        """What the palette shows of rows besides their labels, by primary key."""
        return {}

    # --- The form ----------------------------------------------------------------------------------------------------

    def get_form(self, request: HttpRequest, obj: Row | None = None, change: bool = False, **kwargs: object) -> Any:
        return conflict_checked(super().get_form(request, obj, change, **kwargs), request)

    def get_fieldsets(self, request: HttpRequest, obj: Row | None = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        return fieldsets if obj is not None else of_new_row(fieldsets, self.get_readonly_fields(request, obj))

    def formfield_for_dbfield(self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: object) -> Any:
        return plain_field(self, super().formfield_for_dbfield, db_field, request, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> Mapping[str, object]:
        """The initial values of a new row; those in the URL without text that no database can store."""
        given: dict[str, object] = super().get_changeform_initial_data(request)
        storable = {name: value for name, value in given.items() if is_storable(request.GET.get(name, ""))}
        return {**self.initial_values(), **storable}

    def initial_values(self) -> Mapping[str, object]:
        """What the form for a new row proposes."""
        return {name: only_choice(self.opts.get_field(name)) for name in self.preselected}

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Add the digests of what a stored row's page shows, to be compared when the form is sent."""
        if context.get("original") is not None:
            context["shown_values"] = hidden_values(request, context)
        for action in context.get("actions_detail", ()):
            action["path"] = with_list(request, action["path"])
        return super().render_change_form(request, context, *args, **kwargs)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> Any:
        """Saved as serve_form and save_once say."""
        title = self.title if object_id else f"Add {self.row_title or self.opts.verbose_name}"
        buttons = {"show_save_and_continue": False, "show_save_and_add_another": False} if self.is_shown_once else {}
        context = {"title": title, **({} if object_id else buttons), **(extra_context or {})}
        serve = partial(super().changeform_view, request, object_id, form_url, context)
        return serve_form(request, partial(save_once, request, serve) if self.is_saved_once else serve)

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Sequence[ChangeMessage]:
        message = message_of(form, formsets or (), is_new=add)
        if message:
            say_saved(request)
        return message

    def save_model(self, request: HttpRequest, obj: Row, form: ModelForm, change: bool) -> None:
        """Write nothing when the form is unchanged."""
        if form.changed_data or not change:
            super().save_model(request, obj, form, change)

    def log_change(self, request: HttpRequest, obj: Row, message: object) -> LogEntry | None:
        """Log nothing when nothing was changed."""
        if not message:
            return None
        note_changes(request)
        entry: LogEntry = super().log_change(request, obj, message)
        return entry

    def response_change(self, request: HttpRequest, obj: Row) -> HttpResponse:
        """The page of the table that was asked for; continuing stays on the pages that are shown."""
        if address := turned_address(request):
            return redirect(address)
        answer: HttpResponse = super().response_change(request, obj)
        if "_continue" in request.POST:
            answer["Location"] = request.get_full_path()
        return answer

    # --- The list ----------------------------------------------------------------------------------------------------

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> Any:
        answer = super().changelist_view(request, {"title": self.title, **(extra_context or {})})
        keep_filters(self, request, answer)
        return answer

    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[LinkedList]:
        return self.change_list

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        warn_of_words(request, request.GET.get(SEARCH_VAR, ""))
        with reporting_wrong_lookups(request):
            return super().get_changelist_instance(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if lookup.partition("__")[0] in self.unreadable or not is_storable(str(value)):
            return False
        allowed: bool = super().lookup_allowed(lookup, value, request)
        return allowed

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Row], search_term: str
    ) -> tuple[QuerySet[Row], bool]:
        """Nothing matches text that no database can store, or more words than one statement can hold."""
        if not is_searchable(search_term):
            return queryset.none(), False
        found, may_repeat = self.search(request, queryset, search_term)
        return found.filter(self.pickable) if is_picker(request) else found, may_repeat

    def search(self, request: HttpRequest, queryset: QuerySet[Row], search_term: str) -> tuple[QuerySet[Row], bool]:
        """The rows in which the words are found, and whether a row may be found twice.

        By default in search_fields, folded in small tables; where rows have documents, in these, the best first.
        """
        if search_term.strip() and is_searched_by_words(self.model):
            rows = found_rows(queryset, search_term, self.search_fields)
            return best_first(request, rows, search_term), False
        if search_term.strip() and (few := folded_rows(queryset, search_term, self.search_fields)) is not None:
            return few, False
        found: tuple[QuerySet[Row], bool] = super().get_search_results(request, queryset, search_term)
        return found

    def response_action(self, request: HttpRequest, queryset: QuerySet[Row]) -> Any:
        """Reject keys that the column cannot hold, such as text for a number: no row has them."""
        keys = request.POST.getlist(ACTION_CHECKBOX_NAME)
        is_across = request.POST.get("select_across") == "1"  # then Django does not look for the keys
        if is_across or are_keys(keys, self.opts.pk):
            return super().response_action(request, queryset)
        self.message_user(request, "The selected rows do not exist. Nothing was changed.", messages.WARNING)
        return redirect(request.get_full_path())

    # --- One row -----------------------------------------------------------------------------------------------------

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Row | None:
        """The row with its links; locked if it is about to be written, for which alone Django opens a transaction."""
        find = partial(super().get_object, request, object_id, from_field)
        row: Row | None = find() if is_storable(object_id) else None
        if row is not None and request.method == "POST" and connection.in_atomic_block and not is_busy(request):
            self.lock(row)
            row = find()
        if row is not None:
            self.add_links(request, [row])
        return row

    def lock(self, row: Row) -> None:
        """Lock the row until the transaction ends, so that it does not change between comparing and saving."""
        lock_rows(self.model._base_manager.filter(pk=row.pk))

    def add_links(self, request: HttpRequest, rows: list[Any]) -> None:
        """Set on the rows what their columns show of other tables, in as many statements for many rows as for one."""
        add_links(self.columns, request, rows)

    def offers_actions(self, request: HttpRequest, row: Row) -> bool:
        """Whether the row is in a state for the buttons above its form."""
        return True

    def offers_action(self, request: HttpRequest, row: Row, name: str) -> bool:
        """Whether the row has the button of that method; see offers_actions."""
        return self.offers_actions(request, row)

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[UnfoldAction]:
        """Subclasses decide by the row: the id comes as addresses spell it, with `_5F` for `_`."""
        row = self.get_object(request, unquote(object_id))
        if row is None:
            return []
        allowed = super().get_actions_detail(request, object_id)
        return [action for action in allowed if is_offered(self, request, row, action.path)]

    def get_object_or_404(self, request: HttpRequest, object_id: str) -> Row:
        """The row with that id, which comes as addresses spell it."""
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        return row

    def gone(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Back to the overview, which says that there is no such row. The id comes as addresses spell it."""
        answer: HttpResponse = self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        return answer

    def page(self, request: HttpRequest, template: str, **context: object) -> TemplateResponse:
        """A page of the screen's own. context: its title among others."""
        every = self.admin_site.each_context(request)
        return TemplateResponse(request, template, {**every, "opts": self.opts, **context})

    def address(self, key: str) -> str:
        """Where the row with that primary key is shown."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[quote(key)])


def is_picker(request: HttpRequest) -> bool:
    """Whether a picker asks, not a list."""
    return request.path == reverse("admin:autocomplete")
