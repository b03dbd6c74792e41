"""The forms that act on an order, by the names of their actions."""

from collections.abc import Mapping

from orders.admin.forms.action_form import ActionForm
from orders.admin.forms.capturing import CaptureForm
from orders.admin.forms.changes.claim_form import ClaimForm
from orders.admin.forms.changes.edit_form import EditForm
from orders.admin.forms.changes.exchange_form import ExchangeForm
from orders.admin.forms.changes.open_changes import (
    CancelClaimForm,
    CancelEditForm,
    CancelExchangeForm,
    ConfirmClaimForm,
    ConfirmEditForm,
    ConfirmExchangeForm,
)
from orders.admin.forms.details import DetailsForm, NoteForm
from orders.admin.forms.ending import ArchiveForm, CancelForm, CompleteForm
from orders.admin.forms.invoicing import CorrectInvoiceForm, WriteInvoiceForm
from orders.admin.forms.linking import PaymentLinkForm
from orders.admin.forms.mailing import GiftCardForm, MailForm
from orders.admin.forms.packing import PackForm
from orders.admin.forms.parcels import DeliverForm, LabelForm, ShipForm, UnpackForm
from orders.admin.forms.refunding import RefundForm
from orders.admin.forms.requesting import RequestForm
from orders.admin.forms.returning import CancelReturnForm, ReceiveForm
from orders.admin.forms.settling import CreditForm, MarkAsPaidForm

FORMS: Mapping[str, type[ActionForm]] = {
    "pack": PackForm,
    "ship": ShipForm,
    "add-label": LabelForm,
    "deliver": DeliverForm,
    "cancel-fulfillment": UnpackForm,
    "capture": CaptureForm,
    "refund": RefundForm,
    "edit": EditForm,
    "confirm-edit": ConfirmEditForm,
    "cancel-edit": CancelEditForm,
    "confirm-exchange": ConfirmExchangeForm,
    "cancel-exchange": CancelExchangeForm,
    "confirm-claim": ConfirmClaimForm,
    "cancel-claim": CancelClaimForm,
    "write-invoice": WriteInvoiceForm,
    "correct-invoice": CorrectInvoiceForm,
    "send-payment-link": PaymentLinkForm,
    "pay-by-credit": CreditForm,
    "mark-as-paid": MarkAsPaidForm,
    "request-return": RequestForm,
    "exchange": ExchangeForm,
    "claim": ClaimForm,
    "receive-return": ReceiveForm,
    "cancel-return": CancelReturnForm,
    "note": NoteForm,
    "change-details": DetailsForm,
    "send-mail": MailForm,
    "send-gift-card": GiftCardForm,
    "complete": CompleteForm,
    "archive": ArchiveForm,
    "cancel": CancelForm,
}
