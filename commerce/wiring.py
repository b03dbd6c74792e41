"""Registers what lower apps call in higher ones.

Lower apps do not import higher ones. Where a lower app must call a higher one (a changed cart must update its payment
collection), it declares a `Wired` hook, and this module registers the implementation at startup. Startup fails if a
hook has no implementation. `commerce.operations.apps` runs it once, when all models are loaded. Hooks of the admin site
are registered where that is loaded (`commerce/admin_site.py`).
"""

from collections.abc import Mapping, Sequence

from django.apps import apps

from apikeys.api.authentication import keyless_scope, store_scope
from apikeys.models import ApiKey
from apikeys.revocation import revoke_keys_of
from auth.passwords.reset_mails import render_reset_mail
from carts import rule_attributes
from carts.api.serializers import CartSerializer
from carts.pricing.cart_context import price_context_of
from carts.pricing.cart_steps import CART_STEPS, CartSteps
from carts.promotions.facts import HAS_ORDERED, SHIPPING_TYPES
from carts.promotions.rule_declarations import SHIPPING_SOURCES, Source
from carts.spreadsheets.promotion_codes import PROMOTION_CODES as CODE_SPREADSHEET
from catalog.api.serializers import AdminProductSerializer, InventoryLevelSerializer
from catalog.listings import group_triggers
from catalog.listings import triggers as listing_triggers
from catalog.listings.count_invariants import PRODUCT_COUNT_INVARIANTS
from catalog.listings.counts import triggers as product_count_triggers
from catalog.listings.listing_invariants import LISTING_INVARIANTS
from catalog.models import Price, StockMovement
from catalog.prices import price_parameters
from catalog.prices.lowest_price_invariants import LOWEST_PRICE_INVARIANTS
from catalog.prices.lowest_prices import triggers as lowest_price_triggers
from catalog.prices.reductions import jobs as reduction_jobs
from catalog.products.variant_uses import VARIANT_USES
from catalog.spreadsheets.prices import PRICES as PRICE_SPREADSHEET
from catalog.spreadsheets.products import PRODUCTS as PRODUCT_SPREADSHEET
from catalog.spreadsheets.stock import STOCK as STOCK_SPREADSHEET
from catalog.stock import stock_triggers
from catalog.stock.lowest_stock import triggers as lowest_stock_triggers
from catalog.stock.lowest_stock_invariants import LOWEST_STOCK_INVARIANTS
from catalog.stock.stock_invariants import STOCK_INVARIANTS
from commerce.picture_columns import COLUMNS as PICTURE_COLUMNS
from customers.api.serializers import CustomerSerializer
from customers.memberships import buyer
from customers.spreadsheets.customers import CUSTOMERS as CUSTOMER_SPREADSHEET
from fulfillment.api.admin.serializers import LOCATIONS_OF_LEVEL, PROFILE_OF_PRODUCT
from fulfillment.methods import method_repricing
from fulfillment.models import ShippingOption, ShippingOptionType
from fulfillment.options.option_types import types_of_options
from giftcards.api.serializers import GiftCardSerializer
from giftcards.api.serializers.accounts import STORE_CREDIT_ACCOUNTS_OF_CUSTOMER
from giftcards.spending import cart_credit
from giftcards.spreadsheets.gift_cards import GIFT_CARDS as CARD_SPREADSHEET
from giftcards.verification.verification import OTHER_INVARIANTS, OTHER_MODELS, OTHER_TRIGGERS
from kit.domain import hooks
from kit.domain.actor import Actor
from kit.editing.reporting import EVENTS, event_names
from kit.errors import Forbidden
from kit.jobs.kinds import JOB_KINDS, SINGLE_STEP_JOBS, Piece, Report, SingleStep
from kit.jobs.models import Job
from kit.messages.mails.kinds import MAIL_KINDS, SHOP_NAME
from kit.messages.outbox.names import EVENT_NAMES, MERGED_EVENTS
from kit.messages.webhooks.endpoints.disabling import REPORT_TO_STAFF
from kit.messages.webhooks.subscriptions import record_changes
from kit.rest.scopes import KEYLESS_SCOPE, STORE_SCOPE
from kit.safety.idempotency import mentions
from kit.spreadsheets import files as spreadsheet_files
from kit.spreadsheets import jobs as spreadsheet_jobs
from kit.spreadsheets.declarations import SPREADSHEETS
from orders.api.serializers import ORDER_OF_COLLECTION, ORDERS_OF_CUSTOMER
from orders.api.serializers.gift_card_lines import LINE_ITEM_OF_GIFT_CARD
from orders.common import note_triggers
from orders.common.events import ORDER_EVENTS
from orders.common.first_orders import has_ordered
from orders.common.variant_uses import variant_uses
from orders.completion import resuming
from orders.erasure.names import names_in
from orders.invoices import triggers as invoice_triggers
from orders.invoices import waiting
from orders.invoices.delivery import render_document_mail
from orders.mails.cancellations import render_cancellation_mail
from orders.mails.changes import render_change_mail
from orders.mails.gift_cards import render_gift_card_mail
from orders.mails.lookups import render_lookup_mail
from orders.mails.orders import render_order_mail
from orders.mails.payment_links import render_payment_mail
from orders.mails.refunds import render_refund_mail
from orders.mails.returns import render_receipt_mail, render_request_mail
from orders.mails.shipments import render_shipment_mail
from orders.mails.transfers import render_transfer_mail
from orders.management.invariants import ORDER_INVARIANTS
from orders.managing.bulk import job as bulk_orders
from orders.models import Order
from orders.payment import order_payments
from orders.refunds import sources
from orders.reports.counts import triggers as order_count_triggers
from orders.reports.export import job as export
from payments.api.serializers import PAYMENT_COLLECTION_OF_CART, AdminPaymentCollectionSerializer
from payments.collections.order_steps import PAYMENT_STEPS, PaymentSteps
from payments.lifecycle import cart_collection
from payments.money_events import MONEY_EVENTS
from pictures import deletion
from shop.regions.region_taxes import COUNTRY_RATES
from shop.stores.store_name import store_name
from shop.stores.supported_currencies import PRICES
from shop.taxes import TAXES_IN
from staff import user_editing, webhook_mails
from staff.actors import staff_actor
from staff.invitation_mails import render_invitation_mail
from staff.models import User
from taxes.editing import default_rates
from taxes.quotes.cart_taxes import provided_taxes
from taxes.rates.applicable_rates import RatesInPlace


def wire() -> None:
    """Register all implementations. Raises ImproperlyConfigured for a hook without one, or with two."""
    # Who asks, and what of the store they may see
    STORE_SCOPE.register(store_scope)
    KEYLESS_SCOPE.register(keyless_scope)

    # What a deleted user leaves
    user_editing.REVOKE_KEYS.register(revoke_keys_of)

    # What resources show of the apps above theirs
    CartSerializer.register_relation(
        "payment_collection",
        PAYMENT_COLLECTION_OF_CART,
        defaults="*payment_collection,*payment_collection.payment_sessions",
    )
    CustomerSerializer.register_relation("store_credit_accounts", STORE_CREDIT_ACCOUNTS_OF_CUSTOMER)
    CustomerSerializer.register_relation("orders", ORDERS_OF_CUSTOMER)
    GiftCardSerializer.register_relation("line_item", LINE_ITEM_OF_GIFT_CARD)
    AdminPaymentCollectionSerializer.register_relation("order", ORDER_OF_COLLECTION)
    AdminProductSerializer.register_relation("shipping_profile", PROFILE_OF_PRODUCT)
    InventoryLevelSerializer.register_relation("stock_locations", LOCATIONS_OF_LEVEL)

    # What deleting variants affects
    VARIANT_USES.register(variant_uses)
    deletion.COLUMNS.register(PICTURE_COLUMNS)

    # Which prices the catalogue shows, and to whom
    price_parameters.BUYER.register(buyer)
    price_parameters.add_source(
        price_parameters.Source(
            rank=10,
            parameters={"cart_id": "The cart whose customer the prices are for, and its place unless another is sent."},
            find=price_context_of,
            names_buyer=True,
        )
    )

    # Which taxes apply to goods
    TAXES_IN.register(RatesInPlace)
    COUNTRY_RATES.register(default_rates)
    PRICES.register(Price.objects.not_deleted)
    SHIPPING_SOURCES.register(
        {
            rule_attributes.SHIPPING_OPTION: Source(ShippingOption, "name"),
            rule_attributes.SHIPPING_TYPE: Source(ShippingOptionType, "label"),
        }
    )

    # What conditions of promotions ask
    HAS_ORDERED.register(has_ordered)
    SHIPPING_TYPES.register(types_of_options)

    # What follows a changed cart
    CART_STEPS.register(
        CartSteps(
            provided_taxes=provided_taxes,
            shipping_methods=method_repricing.reprice,
            credit_lines=cart_credit.follow,
            payment_collection=cart_collection.follow,
        )
    )

    # The events that webhooks can receive, and the report of a disabled endpoint
    EVENT_NAMES.register({**ORDER_EVENTS, **MONEY_EVENTS, **event_names(apps.get_models())})
    MERGED_EVENTS.register({"inventory-level.updated"})
    EVENTS.register(record_changes)
    REPORT_TO_STAFF.register(webhook_mails.report_switched_off)

    # What follows a payment
    PAYMENT_STEPS.register(
        PaymentSteps(
            lock=order_payments.lock_order_of,
            lock_order=order_payments.lock_order_with_id,
            recorded=order_payments.follow_collection,
            refundable=sources.refundable_of,
            due=order_payments.due_of,
            credit_refunds=sources.credit_refunds_of,
            settled=resuming.complete_later,
        )
    )

    # What `verify_ledger` checks beside the ledger
    OTHER_INVARIANTS.register(
        (
            *ORDER_INVARIANTS,
            *STOCK_INVARIANTS,
            *PRODUCT_COUNT_INVARIANTS,
            *LISTING_INVARIANTS,
            *LOWEST_PRICE_INVARIANTS,
            *LOWEST_STOCK_INVARIANTS,
        )
    )
    OTHER_TRIGGERS.register(
        lambda connection: [
            name
            for each in (
                stock_triggers,
                note_triggers,
                invoice_triggers,
                lowest_price_triggers,
                lowest_stock_triggers,
                order_count_triggers,
                product_count_triggers,
                listing_triggers,
                group_triggers,
            )
            for name in each.missing(connection)
        ]
    )
    OTHER_MODELS.register({"orders": Order, "stock movements": StockMovement})

    # By which an erasure finds responses that are stored for an Idempotency-Key
    mentions.NAMES_IN.register(names_in)

    # Emails
    MAIL_KINDS.register(
        {
            "password_reset": render_reset_mail,
            "order_placed": render_order_mail,
            "order_shipped": render_shipment_mail,
            "order_canceled": render_cancellation_mail,
            "order_changed": render_change_mail,
            "order_refunded": render_refund_mail,
            "return_requested": render_request_mail,
            "return_received": render_receipt_mail,
            "transfer_requested": render_transfer_mail,
            "order_lookup": render_lookup_mail,
            "payment_requested": render_payment_mail,
            "invoice": render_document_mail,
            "credit_note": render_document_mail,
            "gift_card": render_gift_card_mail,
            "invitation": render_invitation_mail,
            webhook_mails.KIND: webhook_mails.render_switched_off_mail,
        }
    )
    SHOP_NAME.register(store_name)

    # Jobs
    JOB_KINDS.register(
        {
            "bulk_action": _bulk_action_pieces,
            bulk_orders.JOB_KIND: bulk_orders.pieces,
            waiting.JOB_KIND: waiting.pieces,
        }
    )
    SINGLE_STEP_JOBS.register(
        {
            export.JOB_KIND: SingleStep(export.perform, export.address, export.discard),
            "regroup": SingleStep(_regroup),
            reduction_jobs.KIND: SingleStep(reduction_jobs.perform),
            spreadsheet_jobs.PREVIEW: SingleStep(spreadsheet_jobs.perform_preview),
            spreadsheet_jobs.APPLY: SingleStep(
                spreadsheet_jobs.perform_apply,
                discard=lambda job: spreadsheet_files.discard_source(job.parameters["import_id"]),
            ),
            spreadsheet_jobs.EXPORT: SingleStep(
                spreadsheet_jobs.perform_export, spreadsheet_jobs.address, lambda job: spreadsheet_files.discard(job.pk)
            ),
        }
    )

    # Spreadsheets
    SPREADSHEETS.register(
        {
            each.key: each
            for each in (
                PRODUCT_SPREADSHEET,
                PRICE_SPREADSHEET,
                STOCK_SPREADSHEET,
                CUSTOMER_SPREADSHEET,
                CARD_SPREADSHEET,
                CODE_SPREADSHEET,
            )
        }
    )
    spreadsheet_jobs.OWNER.register(_spreadsheet_owner)

    hooks.require_all()


def _spreadsheet_owner(job: Job) -> Actor:
    user, through = User.objects.get(pk=job.actor_id), job.parameters.get("through")
    if through is None:
        return staff_actor(user)
    key = ApiKey.objects.active().filter(pk=through).first()
    if key is None:
        raise Forbidden("The API key that started this was revoked.")
    return staff_actor(user, through=key.pk, within=None if key.permissions is None else frozenset(key.permissions))


def _bulk_action_pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The work on these rows: that of a screen, whose site other jobs do not load."""
    from commerce.admin_site import load_admin_site  # noqa: PLC0415
    from kit.admin.actions.bulk_jobs import pieces  # noqa: PLC0415

    load_admin_site()
    return pieces(job, keys)


def _regroup(job: Job, report: Report) -> int:
    """The work of a job that puts rows of a screen into groups."""
    from commerce.admin_site import load_admin_site  # noqa: PLC0415
    from kit.admin.actions import regrouping  # noqa: PLC0415

    load_admin_site()
    return regrouping.perform(job, report)
