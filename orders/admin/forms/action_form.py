"""The base of forms that act on an order once."""

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from django import forms
from django.forms import BoundField
from django.http import Http404, QueryDict

from kit.admin.actions.tickets import ticket_field
from kit.admin.forms.customer_mail import NOTIFY, customer_mail_field
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError
from kit.safety.idempotency.replay import KeyOfAnotherRequest
from kit.values.timestamps import isoformat, now
from orders.admin.forms.priced_form import PricedForm
from orders.admin.order_state import OrderState
from orders.models import Order

BUSY = "Another request is changing this order. Submit the form again in a moment: it takes effect only once."
USED = "This form has already been submitted with other values. Open it again to make another change."
_FIELD = re.compile(r"[Ff]ield '([a-z_]+)'")


class FieldRow(NamedTuple):
    """Fields with a title: those of a line of the order, of a parcel, or of an address.

    is_wide: whether they are in two columns below the title, instead of next to it.
    is_foldable: whether a click on the title shows and hides them; for wide rows. is_open: whether they are shown.
    """

    title: str
    note: str
    fields: Sequence[BoundField]
    is_wide: bool = False
    is_foldable: bool = False
    is_open: bool = False


class ActionForm(PricedForm):
    """A form that shows what it will do, and does it once.

    actor: who uses it. ticket: new in each form, so that a form that is submitted twice acts once. shown_state,
    shown_at: the state of the order that the page showed, and when.
    is_about_state: whether its effects depend on the order's state; it then refuses to act on any other state.
    is_recorded_by_verb: whether the verb itself adds to the order's history.
    is_dangerous: whether its button is red. names: replace ids in error messages. is_done: False if `act` reports that
    something is still open. shown_once: what `act` has made that is not stored, for the page after the form.
    """

    ticket = ticket_field()
    shown_state = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    shown_at = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    title: ClassVar[str]
    button: ClassVar[str]
    is_about_state: ClassVar[bool] = True
    is_recorded_by_verb: ClassVar[bool] = False
    is_dangerous: ClassVar[bool] = False

    def __init__(
        self, data: QueryDict | Mapping[str, object] | None, *, state: OrderState, about: str, actor: Actor
    ) -> None:
        super().__init__(data)
        self.state, self.about, self.actor = state, about, actor
        self.names: dict[str, str] = {}
        self.is_done, self.shown_once = True, ""
        self.fields["shown_state"].initial = stamp_of(state.order)
        self.fields["shown_at"].initial = isoformat(now())
        self.prepare()

    @property
    def order(self) -> Order:
        """The order as it was read for this request."""
        return self.state.order

    @property
    def currency_code(self) -> str:
        return str(self.order.currency_id)

    def prepare(self) -> None:
        """Read the form's object, and add fields. Raises Http404 if the object belongs to another order."""
        if self.about:
            raise Http404

    def offer_mail(self, about: str = "") -> None:
        """Add the switch of the email, if the order gets emails. about: what is in it."""
        if address := self.state.mailed_to:
            self.fields[NOTIFY] = customer_mail_field(f"At {address}{about and ', '}{about}.")

    @property
    def no_notification(self) -> bool:
        """Whether the valid form's customer gets no email."""
        return NOTIFY in self.fields and not self.cleaned_data[NOTIFY]

    @abstractmethod
    def effects(self) -> Sequence[str]:
        """What the form will do, in sentences."""

    @abstractmethod
    def act(self, actor: Actor) -> str:
        """Call the verb with the values of the valid form.

        Returns a message for the user and the history, without personal data.
        """

    def why_not(self) -> str:
        """Why the form is no longer possible, if the order's statuses do not say it."""
        return ""

    def rows(self) -> Sequence[FieldRow]:
        """Groups of fields that are shown side by side, above the other fields."""
        return ()

    def other_fields(self) -> Sequence[BoundField]:
        """The visible fields that are in no row."""
        in_rows = {field.name for row in self.rows() for field in row.fields}
        return [field for field in self.visible_fields() if field.name not in in_rows]

    def refuse(self, refusal: DomainError) -> None:
        """Show a refusal at the field that it names, or else above the form."""
        if isinstance(refusal, KeyOfAnotherRequest):
            self.add_error(None, USED)
            return
        if type(refusal) is Conflict:  # its own message speaks of Idempotency-Key; those of its subclasses suit staff
            self.add_error(None, BUSY)
            return
        named = _FIELD.search(refusal.message)
        field = named[1] if named and named[1] in self.fields else None
        self.add_error(field, self._with_names(refusal.message))

    def _with_names(self, message: str) -> str:
        """The message with names in place of ids."""
        names = {self.order.pk: str(self.order), **{line.id: line.name for line in self.state.lines.values()}}
        for key, name in {**names, **self.names}.items():
            message = message.replace(key, name)
        return message


class ProviderForm(ActionForm):
    """A form whose verb calls payment providers, outside of a transaction.

    `act` then only reports the outcome. The verb checks the amount, since it knows whether the form was submitted
    before.
    """

    @abstractmethod
    def is_begun(self, digest: str) -> bool:
        """Whether the verb was already called with that digest."""

    @abstractmethod
    def call_verb(self, actor: Actor, digest: str) -> None:
        """Call the verb."""

    def resume(self, digest: str) -> bool:
        """Carry on with what was begun with that digest, whatever the form says by now. Returns whether there is any.

        digest: it belongs to the actor and this form.
        """
        return False


def stamp_of(order: Order) -> str:
    """A text that changes with the order."""
    return f"{order.version} {isoformat(order.updated_at)}"
