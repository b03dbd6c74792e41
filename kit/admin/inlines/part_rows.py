"""The rows of tables below a form, with the theme's markup. It renders templates for each cell.

Tables that are nested, or sorted by dragging with the theme's own script, are not supported: there are none.
"""

from collections.abc import Iterator
from typing import Any

from django.template import Context, Library
from django.template.loader import get_template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = Library()

_PARTIALS = "unfold/helpers/edit_inline"
_BORDERS = "lg:group-[.last]/parent:border-b-0"
_LABEL = "before:capitalize before:font-semibold before:content-[attr(data-label)]"
_CELL = (
    "min-h-[62.5px] align-middle border-b max-md:border-b border-base-200 " + _BORDERS + " dark:border-base-800 "
    "field-{} group field-tabular {}{} flex items-center " + _LABEL + " before:text-font-important-light "
    "dark:before:text-font-important-dark before:mr-auto before:font-text before:pr-4 lg:before:hidden font-normal "
    "px-3 lg:first:pl-3 lg:last:pr-3 lg:px-1.5 text-left lg:table-cell "
)
_DELETE_CELL = (
    "delete pl-3 pr-1.5 lg:pl-0 border-b lg:border-t border-base-200 dark:border-base-800 "
    + _BORDERS
    + " lg:border-t-0 "
    "min-h-[62.5px] {} text-left text-red-600 flex items-center " + _LABEL + " before:mr-auto "
    "before:text-font-important-light before:pr-4 lg:before:hidden font-normal px-3 text-sm lg:align-top lg:table-cell "
    "lg:w-px dark:before:text-font-important-dark"
)
_DELETE = (
    "cursor-pointer flex h-[38px] w-[38px] items-center justify-center rounded-default select-none transition-colors "
    "hover:bg-base-50 dark:hover:bg-base-800"
)
_TITLE_ROW = (
    "border-b border-base-200 dark:border-base-800 bg-base-50 dark:bg-white/[.02] lg:bg-transparent lg:border-0 "
    "dark:lg:bg-transparent!"
)

_VEIL = (
    "absolute backdrop-blur-xs border-b border-base shadow-inner flex items-center justify-center gap-1.5 top-0 left-0 "
    "w-full h-full bg-white/50 dark:bg-base-900/80 dark:border-base-800 z-50"
)


@register.simple_tag(takes_context=True)
def part_row(context: Context) -> SafeString:
    """The table's body for one row, or for the template of new rows."""
    return mark_safe("".join(_body(context)))  # noqa: S308 - the parts are escaped


def _body(context: Context) -> Iterator[str]:
    formset, form, loop = context["inline_admin_formset"], context["inline_admin_form"], context["forloop"]
    fields = [field for fieldset in form for line in fieldset for field in line]
    is_stored = bool(form.original or form.show_url)
    can_delete = formset.formset.can_delete and formset.has_delete_permission
    yield f'<tbody class="form-group relative group/parent{_place(formset, loop, is_stored=is_stored)}">'
    if form.form.non_field_errors():
        yield _partial(context, "tabular_error")
    if is_stored:
        yield _title_row(context, formset, form, len(fields))
    yield '<tr class="form-row has-[.delete:checked]:[&+.form-delete]:table-row ">'
    yield from (str(field.field) for field in fields if not field.is_readonly and field.field.is_hidden)
    yield from (_cell(field, form) for field in fields if field.is_readonly or not field.field.is_hidden)
    if can_delete:
        yield _delete_cell(form)
    yield "</tr>"
    if form.original:
        undo = _undo(form.deletion_field().field) if can_delete else ""
        yield f'<tr class="hidden form-delete"><td colspan="100%">{undo}</td></tr>'
    yield "</tbody>"


def _place(formset: Any, loop: dict[str, Any], *, is_stored: bool) -> str:
    adds = formset.has_add_permission
    is_last, is_template = adds and loop["revcounter"] == 2, adds and loop["last"]
    return (
        f"{' last' if is_last else ''} {'original' if is_stored else 'template'}{' empty-form' if is_template else ''}"
    )


def _title_row(context: Context, formset: Any, form: Any, cells: int) -> str:
    """The hidden keys of a stored row, and its title unless the table has none."""
    if not formset.opts.hide_title:
        return _partial(context, "tabular_title")
    keys = [form.pk_field().field] if form.needs_explicit_pk_field() else []
    owner = form.fk_field()
    keys += [owner.field] if owner else []
    count = cells + 1 + bool(formset.formset.can_delete)
    inner = format_html_join("", "{}", ((key,) for key in keys))
    return format_html('<tr class="{}"><td colspan="{}">{}</td></tr>', _TITLE_ROW, count, inner)


def _cell(field: Any, form: Any) -> str:
    given = field.field
    name, label = (given["name"], given["label"]) if field.is_readonly else (given.name, given.label)
    errors = [] if field.is_readonly else given.errors
    classes = _CELL.format(name, " errors" if errors else "", " p-3 lg:py-3" if form.original else " py-3")
    shown = _read_only(field) if field.is_readonly else _input(given, errors)
    attributes = format_html(' class="{}"', classes) if name else ""
    return format_html(
        '<td{} data-label="{}"><div class="flex flex-row gap-3 items-center">{}</div></td>', attributes, label, shown
    )


def _input(field: Any, errors: Any) -> SafeString:
    texts = format_html_join(" ", "{}", ((error,) for error in errors))
    reported = format_html('<div class="mt-2 text-red-600 text-xs dark:text-red-500">{}</div>', texts) if errors else ""
    return format_html('<div class="flex flex-col grow">{}{}</div>', field, reported)


def _read_only(field: Any) -> SafeString:
    if field.is_file:
        return SafeString(get_template("unfold/helpers/field_readonly_value.html").render({"field": field}))
    contents = field.contents()
    shown = "-" if not contents or contents == "None" else conditional_escape(contents)
    width = "max-w-4xl" if field.is_json else "max-w-2xl"
    return format_html('<div class="readonly break-words {} *:rounded-default">{}</div>', width, shown)


def _delete_cell(form: Any) -> SafeString:
    icon = mark_safe('<span class="material-symbols-outlined md-18 text-red-600 dark:text-red-500">delete</span>')
    classes = _DELETE_CELL.format("p-3 lg:py-3" if form.original else "py-3")
    if not form.original:
        inner = format_html('<div class="{} delete-template">{}</div>', _DELETE, icon)
    else:
        box = form.deletion_field().field
        box.field.widget.attrs["class"] = f"{box.field.widget.attrs.get('class', '')} delete".strip()
        inner = format_html('<label class="{}">{}<div class="hidden">{}</div></label>', _DELETE, icon, box)
    return format_html('<td class="{}" data-label="Remove">{}</td>', classes, inner)


def _undo(box: Any) -> SafeString:
    return format_html(
        '<div class="{}"><span>This item will be deleted.</span><label for="{}" class="{}">Click to cancel '
        '<span class="material-symbols-outlined">undo</span></label></div>',
        _VEIL,
        box.id_for_label,
        "cursor-pointer font-medium flex gap-1 items-center text-red-600 dark:text-red-500",
    )


def _partial(context: Context, name: str) -> str:
    """One of the theme's own templates, for what few rows have."""
    template: Any = get_template(f"{_PARTIALS}/{name}.html")
    return str(template.template.render(context))
