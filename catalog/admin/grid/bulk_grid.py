"""One grid of the variants of the filtered products: prices and stock, saved in one step.

Stock is booked as a difference, so a grid that is sent twice, as by a double click, must be saved once: its ticket is
an idempotency key. Other values with the same ticket come back beside the values that are stored by now.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from catalog.admin.grid import grid_input, grid_rows, repeated_grid
from catalog.admin.grid.grid_place import GridPlace
from catalog.admin.grid.product_grid import history_of, messages_above, shown_fault
from catalog.models import Product, ProductVariant
from catalog.products.product_editing.codes import LABELS
from catalog.products.product_editing.editing import edit_products
from catalog.products.product_editing.edits import MOST_VARIANTS, Fault, ProductEditRefused, ProductState
from kit.admin.actions.row_action import row_action
from kit.admin.actions.tickets import TICKET, sent_ticket
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.history.conflicts import SAVED_BEFORE
from kit.admin.request_actor import request_actor
from kit.errors import DomainError
from kit.safety.idempotency.replay import Answer, KeyOfAnotherRequest, fingerprint, run_once
from kit.values.ids import new_ulid

FORM_KEYS = "catalog.admin.bulk_grid"
_FORM = "grid"


@row_action(description="Edit prices and stock", icon="table_edit")
def edit_prices_and_stock(screen: BaseAdmin[Product], request: HttpRequest) -> HttpResponse:
    """The grid, or the saved changes and the list again.

    The grid has the products of the list from the page on that is shown, filtered and sorted as there. It has at most
    MOST_VARIANTS variants, of whole products.
    """
    place = GridPlace.of(request)
    try:
        products, others = _from_page_on(screen.get_changelist_instance(place.of_list), place.skip)
    except IncorrectLookupParameters:  # the list shows that its filters are wrong
        return redirect(f"{reverse('admin:catalog_product_changelist')}?{ERROR_FLAG}=1")
    count = len(products)
    faults: Sequence[Fault] = ()
    is_repeated = False
    sent = request.POST.get(_FORM, "")
    submitted: set[str | None] = set()
    if request.method == "POST":
        try:
            given = grid_input.read(sent)
            submitted = {one.id for one in given.state.variants}
            faults = [*_not_editable(given.state)] or given.faults or _save(screen, request, given.state)
        except grid_input.Unreadable:
            faults = [Fault("", None, "", "The grid could not be read. Reload the page.")]
        except KeyOfAnotherRequest:
            is_repeated = True
        except DomainError as refusal:
            faults = [Fault("", None, "", refusal.message)]
        if not faults and not is_repeated:
            return redirect(_next(screen, place, products))
    products += _left(screen, request, submitted, products)
    every = grid_rows.variants_of(products)
    variants = every[place.first :]
    shown = [row for place, row in enumerate(variants) if place < MOST_VARIANTS or row["pk"] in submitted]
    page = grid_rows.bulk_page(request, products, shown)
    if is_repeated:
        sent, conflicts = repeated_grid.compared(sent, page)
        faults = [Fault("", None, "", SAVED_BEFORE), *conflicts]
    page |= {"sent": sent or None, "faults": [shown_fault(fault) for fault in faults], "asked": []}
    return screen.page(
        request,
        "catalog/bulk_grid.html",
        title="Prices and stock",
        page=page,
        # A page that was refused keeps its ticket: it might have been saved meanwhile, or before.
        **{TICKET: new_ulid() if is_repeated else sent_ticket(request) or new_ulid()},
        range=(place.first + 1, place.first + len(shown), len(every)) if len(shown) < len(every) else None,
        others=others,
        turns=place.turns(products=count, more_variants=len(shown) < len(variants), more_products=others > 0),
        problems=messages_above(faults),
    )


def _next(screen: BaseAdmin[Product], place: GridPlace, shown: Sequence[Product]) -> str:
    """The address after these products are saved: what the pressed button names, or the list."""
    if not place.is_turned:
        return f"{reverse('admin:catalog_product_changelist')}?{place.query()}"
    listed = screen.get_changelist_instance(place.of_list).queryset.filter(pk__in=[product.pk for product in shown])
    return place.turned(gone=len(shown) - listed.count())


def _left(
    screen: BaseAdmin[Product], request: HttpRequest, submitted: Collection[str | None], shown: Sequence[Product]
) -> list[Product]:
    """The products of submitted variants that have left the filtered list since."""
    if not submitted:
        return []
    rows = screen.get_queryset(request).filter(variants__in=submitted, deleted_at=None)
    return list(rows.exclude(pk__in=[product.pk for product in shown]).distinct())


def _save(screen: BaseAdmin[Product], request: HttpRequest, given: ProductState) -> Sequence[Fault]:
    """Edit the products of the variants, all of them or none, once. Returns what is wrong, by row of the grid."""
    ticket = sent_ticket(request)
    if ticket is None:
        raise grid_input.Unreadable
    keys = [one.id or "" for one in given.variants]
    if not keys:
        return ()
    product_of = dict(ProductVariant.objects.not_deleted().filter(pk__in=keys).values_list("pk", "product_id"))
    gone = [place for place, key in enumerate(keys) if key not in product_of]
    if gone:
        return [Fault("", place, "title", "The variant was deleted meanwhile. Reload the page.") for place in gone]
    places: dict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        places[product_of[key]].append(place)
    states = [ProductState(key, variants=[given.variants[at] for at in places[key]]) for key in places]
    try:
        run_once(
            actor=request_actor(request).mark,
            key=f"{FORM_KEYS} {ticket}",
            fingerprint=fingerprint("POST", request.path, "", request.POST[_FORM].encode()),
            work=partial(_edit, screen, request, states),
        )
    except ProductEditRefused as refusal:
        return [_in_grid(fault, places) for fault in refusal.faults]
    screen.message_user(
        request, "1 variant was saved." if len(keys) == 1 else f"{len(keys)} variants were saved.", messages.SUCCESS
    )
    return ()


def _edit(screen: BaseAdmin[Product], request: HttpRequest, states: Sequence[ProductState]) -> Answer:
    changes = edit_products(actor=request_actor(request), states=states)
    for product in Product.objects.filter(pk__in=[*changes]):
        screen.log_change(request, product, history_of(changes[product.pk]))
    return Answer(200, b"")


def _may_edit(request: HttpRequest) -> bool:
    """Who may change variants, and prices or stock."""
    may_edit = grid_rows.may_edit_prices(request) or grid_rows.may_edit_stock(request)
    return request.user.has_perm("catalog.change_productvariant") and may_edit


BULK_GRID = Button(edit_prices_and_stock, _may_edit, keeps_filters=True)


def _from_page_on(changes: ChangeList, skip: int) -> tuple[list[Product], int]:
    """Products from the shown page on, as many as the grid can have, and how many of the list follow them.

    skip: how many to pass over.
    """
    page = min(max(changes.page_num, 1), changes.paginator.num_pages)  # unchecked where all rows fit on one page
    first = min((page - 1) * changes.list_per_page + skip, changes.result_count)
    candidates = list(changes.paginator.object_list[first : first + MOST_VARIANTS])
    variants = ProductVariant.objects.not_deleted().filter(product__in=candidates).order_by()
    counts = dict(variants.values_list("product_id").annotate(Count("pk")))
    totals = accumulate(counts.get(product.pk, 0) for product in candidates)
    fitting = sum(total <= MOST_VARIANTS for total in totals)
    products = candidates[: max(fitting, 1)]
    return products, changes.result_count - first - len(products)


def _not_editable(given: ProductState) -> Iterable[Fault]:
    """A fault for each change that the grid does not offer: no page of ours submits one."""
    names = {LABELS[name] for one in given.variants for name in one.attributes}
    if given.options is not None or any(one.values is not None for one in given.variants):
        names.add("Option values")
    for name in sorted(names):
        yield Fault("", None, "", f"{name} cannot be changed in this grid. Nothing was saved.")
    if given.deleted:
        yield Fault("", None, "", "Variants cannot be deleted in this grid. Nothing was saved.")


def _in_grid(fault: Fault, places: Mapping[str, Sequence[int]]) -> Fault:
    return fault if fault.row is None else replace(fault, row=places[fault.product_id][fault.row])
