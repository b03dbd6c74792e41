"""The base of all screens of the admin site."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from unfold.admin import ModelAdmin
from unfold.dataclasses import UnfoldAction

from kit.admin.forms.plain_pickers import PlainPickers
from kit.admin.history.change_message import ChangeMessage, ModelForm, message_of
from kit.admin.history.conflicts import conflict_checked, hidden_values, is_busy, refuse_as_busy
from kit.admin.lean_pages import LeanPages
from kit.admin.lists.kept_list import LastPageAtMost, with_list
from kit.admin.lists.word_search import best_first, found_rows, is_searched_by_words
from kit.admin.sections import Section
from kit.database.locking import Row, lock_rows, retry_on_conflict
from kit.errors import Conflict
from kit.values.text import is_storable

MOST_SEARCH_WORDS = 50
"""Django compares each with every search field; SQLite refuses the expression of a thousand."""

Action = Callable[[HttpRequest, QuerySet[Any]], HttpResponse | None]


class BaseAdmin(LeanPages, PlainPickers, ModelAdmin, Generic[Row]):  # type: ignore[misc]
    """The screens of one model.

    section: the heading that lists it in the sidebar. menu_title, row_title: what the menu, paths and titles call the
    list and one row where the model's own names will not do. menu_rank: screens of a section stand by it, then by name.
    daily: `view`, `add` or `change`: users with that permission use the screen daily. Others have it behind More.
    icon: the name of its Material Symbol.
    nothing_yet: what an empty list would have, and how it gets there. made_on: the model whose screen makes the rows.
    unreadable: columns that nobody may read. Django lets users filter a list by any column of its table, which would
    reveal such values letter by letter.
    is_in_palette: whether the palette (Ctrl+K) finds the rows.
    tree_path: of rows in a tree, the column that sorts them with each parent right before all below it.
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
    tree_path: ClassVar[str] = ""

    list_per_page = 50
    list_max_show_all = 50
    paginator: type = LastPageAtMost
    change_form_before_template = "admin/shown_values.html"

    @property
    def title(self) -> str:
        """The name of the screen."""
        return self.menu_title or str(capfirst(self.opts.verbose_name_plural))

    def labels(self, rows: Iterable[Row]) -> Mapping[str, str]:
        """The labels of rows in a picker, by primary key; for all at once, since each would cost a statement."""
        return {row.pk: str(row) for row in rows}

    def details(self, rows: Iterable[Row]) -> Mapping[str, Sequence[str]]:
        """What the palette shows of rows besides their labels, by primary key."""
        return {}

    def get_form(self, request: HttpRequest, obj: Row | None = None, change: bool = False, **kwargs: object) -> Any:
        return conflict_checked(super().get_form(request, obj, change, **kwargs), request)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Add the digests of what a stored row's page shows, to be compared when the form is sent."""
        if context.get("original") is not None:
            formsets = [each.formset for each in context["inline_admin_formsets"]]
            checked = [each for each in formsets if hasattr(each, "has_conflict")]
            context["shown_values"] = hidden_values(request, context["adminform"].form, checked)
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
        """If a concurrent write takes a unique value after validation, validate the form again.

        It then reports the value at its field; the first attempt is rolled back, with its history. If another
        transaction locks a row for too long, the form comes back with what was entered.
        """
        serve = partial(self.serve_form, request, object_id, form_url, extra_context)
        try:
            return retry_on_conflict(serve)
        except IntegrityError:
            return serve()
        except Conflict as conflict:
            if type(conflict) is not Conflict:  # a verb's own, which says what it is about
                raise
            refuse_as_busy(request)
            return serve()

    def serve_form(
        self, request: HttpRequest, object_id: str | None, form_url: str, extra_context: dict[str, object] | None
    ) -> Any:
        """Serve the form by Django's view, once: what subclasses do around it is undone and repeated with it."""
        title = self.title if object_id else f"Add {self.row_title or self.opts.verbose_name}"
        return super().changeform_view(request, object_id, form_url, {"title": title, **(extra_context or {})})

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> Any:
        return super().changelist_view(request, {"title": self.title, **(extra_context or {})})

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Sequence[ChangeMessage]:
        return message_of(form, formsets or (), is_new=add)

    def save_model(self, request: HttpRequest, obj: Row, form: ModelForm, change: bool) -> None:
        """Write nothing when the form is unchanged."""
        if form.changed_data or not change:
            super().save_model(request, obj, form, change)

    def log_change(self, request: HttpRequest, obj: Row, message: object) -> LogEntry | None:
        """Log nothing when nothing was changed."""
        return super().log_change(request, obj, message) if message else None

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
        offered = super().get_actions_detail(request, object_id)
        return [action for action in offered if self.offers_action(request, row, action.path)]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Raises IncorrectLookupParameters also for values that only the query rejects, such as the year 99999999.

        Errors of an unfiltered list are raised unchanged.
        """
        if _has_too_many_words(request.GET.get(SEARCH_VAR, "")):
            messages.warning(request, f"The search was ignored: it may contain at most {MOST_SEARCH_WORDS} words.")
        try:
            changes = super().get_changelist_instance(request)
        except (ValueError, OverflowError) as error:
            if not request.GET:
                raise
            raise IncorrectLookupParameters from error
        changes.page_num = min(changes.page_num, changes.paginator.num_pages)
        return changes

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
        return self.search(request, queryset, search_term)

    def search(self, request: HttpRequest, queryset: QuerySet[Row], search_term: str) -> tuple[QuerySet[Row], bool]:
        """The rows in which the words are found, and whether a row may be found twice.

        By default in search_fields; where rows have documents, in these, the best first.
        """
        if search_term.strip() and is_searched_by_words(self.model):
            rows = found_rows(queryset, search_term, self.search_fields)
            return best_first(request, rows, search_term), False
        found: tuple[QuerySet[Row], bool] = super().get_search_results(request, queryset, search_term)
        return found

    def get_changeform_initial_data(self, request: HttpRequest) -> Mapping[str, object]:
        """The initial values of a new row from the URL, without text that no database can store."""
        initial: dict[str, object] = super().get_changeform_initial_data(request)
        return {name: value for name, value in initial.items() if is_storable(request.GET.get(name, ""))}

    def response_action(self, request: HttpRequest, queryset: QuerySet[Row]) -> Any:
        """Reject keys that the column cannot hold, such as text for a number: no row has them."""
        keys = request.POST.getlist(ACTION_CHECKBOX_NAME)
        is_across = request.POST.get("select_across") == "1"  # then Django does not look for the keys
        if is_across or all(map(self._is_key, keys)):
            return super().response_action(request, queryset)
        self.message_user(request, "The selected rows do not exist. Nothing was changed.", messages.WARNING)
        return redirect(request.get_full_path())

    def _is_key(self, text: str) -> bool:
        try:
            self.opts.pk.run_validators(self.opts.pk.to_python(text))
        except ValidationError:
            return False
        return is_storable(text)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Row | None:
        """The row; locked first if it is about to be written, for which alone Django opens a transaction."""
        row: Row | None = super().get_object(request, object_id, from_field) if is_storable(object_id) else None
        if row is None or request.method != "POST" or not connection.in_atomic_block or is_busy(request):
            return row
        self.lock(row)
        locked: Row | None = super().get_object(request, object_id, from_field)
        return locked

    def lock(self, row: Row) -> None:
        """Lock the row until the transaction ends, so that it does not change between comparing and saving."""
        lock_rows(self.model._base_manager.filter(pk=row.pk))

    def on_row(self, request: HttpRequest, object_id: str, action: Action) -> HttpResponse:
        """Serve a button above one row's form by the list's action: its question, then the row again."""
        key = unquote(object_id)
        if self.get_object(request, key) is None:
            raise Http404
        return action(request, self.get_queryset(request).filter(pk=key)) or redirect(self.address(key))

    def address(self, key: str) -> str:
        """Where the row with that primary key is shown."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[quote(key)])


def is_searchable(search_term: str) -> bool:
    """Whether a database can search for it, as text and as conditions on each word."""
    return is_storable(search_term) and not _has_too_many_words(search_term)


def _has_too_many_words(search_term: str) -> bool:
    return len(search_term.split()) > MOST_SEARCH_WORDS
