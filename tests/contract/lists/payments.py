"""Lists of payments, gift cards and store credit."""

from collections.abc import Callable
from decimal import Decimal

from django.db.models import Model

from customers.api.serializers import CustomerSerializer
from giftcards.api.serializers import (
    AdminGiftCardSerializer,
    AdminStoreCreditAccountSerializer,
    GiftCardSerializer,
    StoreCreditAccountSerializer,
    StoreCreditTransactionSerializer,
)
from giftcards.cards import cancellation
from giftcards.ledger.account_opening import open_account
from giftcards.ledger.adjustment import credit_account, debit_account
from giftcards.models import GiftCard, Transaction
from kit.domain.actor import SYSTEM
from kit.reads.declarations.fields import ResourceSerializerClass
from payments.api.serializers import (
    AdminPaymentCollectionSerializer,
    AdminPaymentProviderSerializer,
    AdminPaymentSerializer,
    OfferedProviderSerializer,
    PaymentCollectionSerializer,
    RefundReasonSerializer,
)
from payments.api.serializers.resources import PaymentSessionSerializer
from shop.models import PaymentProvider
from tests.contract.lists.contract import (
    DATED,
    DATES,
    ID_AND_DATES,
    NONE_DELETED,
    Contract,
    Filtering,
    Rows,
    days_apart,
)
from tests.contract.routes import shopper
from tests.factories import payments
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit
from tests.factories.shop import RegionFactory

CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    StoreCreditAccountSerializer: Contract(
        f"id customer_id currency_code customer transaction_groups metadata credits debits balance {DATED}",
        "customer transaction_groups",
        {"customer": CustomerSerializer},
    ),
    OfferedProviderSerializer: Contract("id is_enabled"),
    PaymentCollectionSerializer: Contract(
        "payment_providers id currency_code amount authorized_amount captured_amount refunded_amount completed_at "
        f"status payment_sessions payments metadata {DATED}",
        "payment_providers payment_sessions payments",
    ),
    AdminPaymentCollectionSerializer: Contract(
        "payment_providers id currency_code amount authorized_amount captured_amount refunded_amount completed_at "
        f"status payment_sessions payments metadata {DATED} order",
        "payment_providers payment_sessions payments order",
    ),
    GiftCardSerializer: Contract(
        "id code status value currency_code customer_id reference_id reference note expires_at metadata customer "
        f"{DATED} line_item"
    ),
    AdminGiftCardSerializer: Contract(
        "line_item_id id code status value currency_code customer_id reference_id reference note expires_at metadata "
        f"customer {DATED}",
        "code customer_id reference_id reference note metadata customer",
        {"customer": CustomerSerializer},
    ),
    AdminStoreCreditAccountSerializer: Contract(
        "gift_card_id id customer_id currency_code customer transaction_groups metadata credits debits balance "
        f"{DATED}",
        "customer transaction_groups",
        {"customer": CustomerSerializer},
    ),
    StoreCreditTransactionSerializer: Contract(
        "id account_id transaction_group_id type amount reference reference_id note created_by created_at"
    ),
    RefundReasonSerializer: Contract(f"id label description code metadata {DATED}"),
    AdminPaymentProviderSerializer: Contract("id is_enabled"),
    AdminPaymentSerializer: Contract(
        "payment_collection_id payment_session_id id currency_code provider_id amount authorized_amount "
        "captured_amount refunded_amount data captured_at canceled_at captures refunds payment_collection "
        f"payment_session {DATED}",
        "data captures refunds payment_collection payment_session",
        {"payment_collection": AdminPaymentCollectionSerializer, "payment_session": PaymentSessionSerializer},
    ),
    PaymentSessionSerializer: Contract(
        "id provider_id amount currency_code data context status authorized_at payment_collection payment",
        "data context payment_collection payment",
    ),
}


def _accounts() -> Rows:
    return days_apart(
        one=lambda: store_credit(shopper(), 5, currency_code="eur"), other=lambda: store_credit(shopper(), 7)
    )


def _providers() -> Rows:
    region = RegionFactory()
    region.payment_providers.add("pp_system_default")
    return {"region": region, "one": PaymentProvider.objects.get(pk="pp_system_default")}


def _cards() -> Rows:
    def one() -> Model:
        terms = {"reference": "fair", "reference_id": "fair_1"}
        card = gift_card(code="GIFT-OAK", customer_id=shopper().pk, **terms)
        cancellation.cancel(actor=SYSTEM, card_id=card.pk)
        return GiftCard.objects.get(pk=card.pk)

    return {**days_apart(one=one, other=gift_card), "customer": shopper()}


def _all_accounts() -> Rows:
    made = days_apart(
        one=lambda: store_credit(shopper(), 5, currency_code="eur"), other=lambda: store_credit(CustomerFactory(), 7)
    )
    return {**made, "customer": shopper()}


def _transactions() -> Rows:
    account_id = open_account(actor=SYSTEM, currency_code="usd", customer_id=CustomerFactory().pk)

    def adjusted(adjust: Callable[..., None]) -> Model:
        adjust(actor=SYSTEM, account_id=account_id, amount=Decimal(5), note="For the test")
        return Transaction.objects.latest("pk")

    made = days_apart(one=lambda: adjusted(credit_account), other=lambda: adjusted(debit_account))
    return {**made, "above": account_id, "reference_id": made["one"].reference_id}  # type: ignore[attr-defined]  # an entry


def _payments() -> Rows:
    made = days_apart(one=payments.captured_payment, other=payments.authorized_payment)
    return {**made, "session": made["one"].session}  # type: ignore[attr-defined]  # a payment


def _all_providers() -> Rows:
    return {"one": PaymentProvider.objects.get(pk="pp_system_default")}


LISTS = {
    "/store/store-credit-accounts": Filtering(
        _accounts, {**ID_AND_DATES, "deleted_at": NONE_DELETED, "currency_code": "currency_code=eur"}
    ),
    "/store/payment-providers": Filtering(_providers, {"region_id": ""}, base="region_id={region}"),
    "/admin/gift-cards": Filtering(
        _cards,
        {
            "id": "id={one}",
            "created_at": DATES["created_at"],
            "updated_at": "updated_at[$lt]=2026-03-02",
            "deleted_at": NONE_DELETED,
            "q": "q=gift-oak",
            "customer_id": "customer_id={customer}",
            "reference": "reference=fair",
            "reference_id": "reference_id=fair_1",
            "status": "status=canceled",
        },
    ),
    "/admin/store-credit-accounts": Filtering(
        _all_accounts,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q={customer}",
            "currency_code": "currency_code=eur",
            "customer_id": "customer_id={customer}",
        },
    ),
    "/admin/store-credit-accounts/<str:id>/transactions": Filtering(
        _transactions,
        {
            "id": "id={one}",
            "created_at": DATES["created_at"],
            "account_id": ("account_id={above}", "one other"),
            "type": "type=credit",
            "reference": ("reference=adjustment", "one other"),
            "reference_id": "reference_id={reference_id}",
        },
    ),
    "/admin/payments": Filtering(
        _payments,
        {
            **ID_AND_DATES,
            "deleted_at": NONE_DELETED,
            "q": "q={session}",
            "payment_session_id": "payment_session_id={session}",
        },
    ),
    "/admin/payments/payment-providers": Filtering(_all_providers, {"id": "id={one}", "is_enabled": "is_enabled=true"}),
}
