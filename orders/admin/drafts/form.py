"""The form of a draft: it previews what it makes of the draft, and saves it, by the same verbs."""

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.http import QueryDict

from carts.details.faults import CartFaults, Fault, Faults
from carts.errors import VariantsNotSold
from fulfillment.options.available_options import AvailableOption
from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.timestamps import isoformat, now
from orders.admin.drafts.fields import OPTION, stamp_of
from orders.admin.drafts.figures import Figures, figures_of
from orders.admin.drafts.given import GivenDraft
from orders.admin.drafts.parts import (
    BILLING,
    CHANNEL,
    COUNTRY,
    REGION,
    SHIPPING,
    given_address,
)
from orders.admin.forms.action_form import USED
from orders.changes.errors import ChangeOpen
from orders.common.errors import (
    NoEmail,
    NoItems,
    NoShippingAddress,
    NoShippingCountry,
    NoShippingMethod,
    ProfilesNotServed,
)
from orders.drafts.conversion import check_convertible
from orders.drafts.methods import options_of_draft
from orders.models import DraftOrder

BUSY = "Another request is changing this draft. Submit the form again in a moment: it takes effect only once."
_TO_CONVERT = {
    NoItems: ("variant_1", "Add an item."),
    NoEmail: ("email", "An order needs an email address."),
    NoShippingAddress: (f"{SHIPPING}address_1", "Items are shipped: enter the address."),
    NoShippingCountry: (f"{SHIPPING}{COUNTRY}", "Items are shipped: choose the country."),
    NoShippingMethod: (OPTION, "Items are shipped: choose how."),
    ProfilesNotServed: (OPTION, ""),
}
"""The fields of what an order lacks, and what to do about it."""
_FIELDS = {"customer_id": "customer", "sales_channel_id": CHANNEL, "region_id": REGION}
_PART = re.compile(r"field '(?:\w+_address, )?(\w+)'")


class DraftForm(GivenDraft, RepeatedAmount):
    """figures: of the draft as it is, or as the last preview makes it; None before one."""

    compared = "the addresses, each line and each amount"

    def __init__(self, data: QueryDict | None, *, draft: DraftOrder | None, actor: Actor) -> None:
        super().__init__(data, draft=draft, actor=actor)
        self.figures: Figures | None = None
        if draft is not None and not self.is_bound:
            self.figures = figures_of(draft.pk)
            self.fields["confirmed"].initial = self.movement().digest

    def movement(self) -> Movement:
        """What the order would be. Only after a preview, or for a draft as it is."""
        assert self.figures is not None  # noqa: S101 - see above
        return Movement(f"Create order at {self.figures.total}", "with an email to the customer", self.figures.key)

    def refuse_as_changed(self, refusal: DomainError) -> None:
        """Show what has changed meanwhile. Submitting the form again acts on the draft as it is now."""
        self.add_error(None, refusal.message)
        self.data = {**dict(self.data.items()), "shown_state": stamp_of(self.draft), "shown_at": isoformat(now())}

    def remember(self) -> None:
        """Note on the page that it shows what the order would be, so that it is not asked about again."""
        if self.figures is not None:
            self.data = {**dict(self.data.items()), "confirmed": self.movement().digest}

    def preview(self, *, for_order: bool) -> None:
        """Show what the form makes of the draft, with all that is wrong. Nothing of it stays.

        for_order: whether to show what an order lacks, too.
        """
        if not self.is_valid():
            self.offer_options(self.stored_options())
            return
        try:
            seen = retry_on_conflict(partial(self._seen, for_order=for_order))
        except DomainError as refusal:
            self.offer_options(self.stored_options())
            self.refuse(refusal)
        else:
            self.figures = seen.figures
            self.offer_options(seen.options)
            self._refuse_all(seen.faults)

    def refuse(self, refusal: DomainError) -> None:
        """Show a refusal at its fields, or above the form."""
        if isinstance(refusal, CartFaults):
            self._refuse_all(refusal.faults)
        elif type(refusal) is Conflict:
            self.add_error(None, BUSY)
        elif isinstance(refusal, KeyOfAnotherRequest):
            self.add_error(None, USED)
        elif isinstance(refusal, ChangeOpen):
            self.add_error(None, "A change of this draft was begun elsewhere: discard it below, or confirm it there.")
        else:
            field, text = _TO_CONVERT.get(type(refusal), (None, ""))
            self.add_error(field, text or refusal.message)

    def _seen(self, *, for_order: bool) -> "_Seen":
        faults = Faults()
        with transaction.atomic():
            draft_id = self.save(faults)
            seen = _Seen(figures_of(draft_id), options_of_draft(draft_id), faults.found)
            if for_order and not faults.found:
                with faults.of(""):
                    check_convertible(draft_id)
            transaction.set_rollback(True)
        return seen

    def _refuse_all(self, faults: Sequence[Fault]) -> None:
        for path, error in faults:
            name = path.partition("[")[0]
            if name in ("shipping_address", "billing_address"):
                self._refuse_address(name.removesuffix("address"), error)
            elif isinstance(error, VariantsNotSold):
                self.refuse_unsold(error.variant_ids)
            elif path and (field := _FIELDS.get(name, name)) in self.fields:
                self.add_error(field, error.message)
            else:
                self.refuse(error)

    def _refuse_address(self, prefix: str, error: DomainError) -> None:
        """At the part that is named, or else the country; once if the billing address is not another."""
        if prefix == SHIPPING or given_address(self, BILLING) is not None:
            part = _PART.search(error.message)
            named = f"{prefix}{part[1]}" if part else ""
            self.add_error(named if named in self.fields else f"{prefix}{COUNTRY}", error.message)


class _Seen(NamedTuple):
    """What a preview shows."""

    figures: Figures
    options: Sequence[AvailableOption]
    faults: Sequence[Fault]
