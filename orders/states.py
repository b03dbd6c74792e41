"""The statuses of orders, and of what happens to them: attempts, changes, carriers, returns, transfers, refunds."""

from django.db.models import TextChoices

from kit.domain.transitions import Transitions


class OrderStatus(TextChoices):
    """The status of an order."""

    PENDING = "pending"
    COMPLETED = "completed"
    ARCHIVED = "archived"
    CANCELED = "canceled"


ORDERS = Transitions(
    of="The order",
    allowed={
        "pending": frozenset({"completed", "canceled"}),
        "completed": frozenset({"archived"}),
        "canceled": frozenset({"archived"}),
        "archived": frozenset(),
    },
)


class PaymentStatus(TextChoices):
    """How far an order is paid; see orders/payment/payment_status.py."""

    NOT_PAID = "not_paid"
    AWAITING = "awaiting"
    REQUIRES_ACTION = "requires_action"
    PARTIALLY_AUTHORIZED = "partially_authorized"
    AUTHORIZED = "authorized"
    PARTIALLY_CAPTURED = "partially_captured"
    CAPTURED = "captured"
    PARTIALLY_REFUNDED = "partially_refunded"
    REFUNDED = "refunded"
    CANCELED = "canceled"


class FulfillmentStatus(TextChoices):
    """How far the goods of an order have come."""

    NOT_FULFILLED = "not_fulfilled"
    PARTIALLY_FULFILLED = "partially_fulfilled"
    FULFILLED = "fulfilled"
    PARTIALLY_SHIPPED = "partially_shipped"
    SHIPPED = "shipped"
    PARTIALLY_DELIVERED = "partially_delivered"
    DELIVERED = "delivered"
    CANCELED = "canceled"


FINISHED = (
    frozenset({FulfillmentStatus.FULFILLED, FulfillmentStatus.DELIVERED}),
    frozenset({FulfillmentStatus.DELIVERED}),
)
"""The statuses of an order whose units have all left, without and with items that require shipping."""


class CarrierAct(TextChoices):
    """The kinds of requests to a fulfillment provider."""

    CREATE = "create"
    CANCEL = "cancel"


class CarrierResult(TextChoices):
    """The outcome of a request to a fulfillment provider. withdrawn: the fulfillment was canceled before an answer."""

    DONE = "done"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class ReturnStatus(TextChoices):
    """The status of a return. open: staff prepare it; its units are not requested yet."""

    OPEN = "open"
    REQUESTED = "requested"
    PARTIALLY_RECEIVED = "partially_received"
    RECEIVED = "received"
    CANCELED = "canceled"


class OrderChangeStatus(TextChoices):
    """The status of a change of an order."""

    PENDING = "pending"
    REQUESTED = "requested"
    CONFIRMED = "confirmed"
    CANCELED = "canceled"


class ChangeKind(TextChoices):
    """What a change is. edit: of lines and shipping. exchange, claim: units come back or are written off, others leave.

    draft: of a cart that staff prepare.
    """

    EDIT = "edit"
    EXCHANGE = "exchange"
    CLAIM = "claim"
    DRAFT = "draft"


class ClaimType(TextChoices):
    """What the customer of a claim gets: money, or other goods."""

    REFUND = "refund"
    REPLACE = "replace"


class ClaimReason(TextChoices):
    """Why a unit is claimed."""

    MISSING_ITEM = "missing_item"
    WRONG_ITEM = "wrong_item"
    PRODUCTION_FAILURE = "production_failure"
    OTHER = "other"


class ChangeAction(TextChoices):
    """What one step of a change does. A line that an action sets to 0 units is removed.

    Updates and removals of shipping methods, and promotions: of drafts alone.
    """

    ITEM_ADD = "item_add"
    ITEM_UPDATE = "item_update"
    RETURN_ITEM = "return_item"
    WRITE_OFF_ITEM = "write_off_item"
    SHIPPING_ADD = "shipping_add"
    SHIPPING_UPDATE = "shipping_update"
    SHIPPING_REMOVE = "shipping_remove"
    PROMOTION_ADD = "promotion_add"
    PROMOTION_REMOVE = "promotion_remove"


class LeftOutReason(TextChoices):
    """Why a line of an order cannot be ordered again."""

    NOT_SOLD = "not_sold"
    OUT_OF_STOCK = "out_of_stock"
    NO_PRICE = "no_price"


class AttemptStatus(TextChoices):
    """The status of an attempt to complete a cart. Of one cart, at most one is open."""

    OPEN = "open"
    COMPLETED = "completed"
    RELEASED = "released"


class TransferStatus(TextChoices):
    """The status of a request to transfer an order to another customer."""

    REQUESTED = "requested"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELED = "canceled"


class TransactionReference(TextChoices):
    """What moved an order's money: a capture or a refund of a payment."""

    CAPTURE = "capture"
    REFUND = "refund"


class RefundPartStatus(TextChoices):
    """The outcome of a part of a refund. Credit succeeds immediately, a payment once its provider has answered."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Invoicing(TextChoices):
    """How far an order is invoiced: a document waits for the seller's data, or all were issued."""

    WAITING = "waiting"
    ISSUED = "issued"


class InvoiceKind(TextChoices):
    """An invoice, or a credit note, which takes amounts of invoices back."""

    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"


class InvoiceReason(TextChoices):
    """What a document was written for."""

    SALE = "sale"
    CHANGE = "change"
    RETURN = "return"
    REFUND = "refund"
    CANCELLATION = "cancellation"
    CORRECTION = "correction"


class InvoiceLineKind(TextChoices):
    """What a line of a document is about. A refund: of more than was owed."""

    GOODS = "goods"
    SHIPPING = "shipping"
    GIFT_CARD = "gift_card"
    REFUND = "refund"


class TaxCategory(TextChoices):
    """The category of a line of a document, by the codes of EN 16931."""

    STANDARD = "S", "Taxed"
    ZERO_RATED = "Z", "Zero-rated"
    EXEMPT = "E", "Exempt"
    OUTSIDE_SCOPE = "O", "Gift cards"
