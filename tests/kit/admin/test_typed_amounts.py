"""Amounts, percentages and rates as people type them into the forms of the admin site."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django import forms
from django.contrib import admin
from django.test import Client, RequestFactory

from carts.models import Promotion
from catalog.models import InventoryLevel, Price, PriceRule, ProductVariant
from fulfillment.models import ShippingOption, ShippingOptionRule
from giftcards.admin.adjustment_forms import AdjustmentForm, GiftForm
from giftcards.models import GiftCard, StoreCreditAccount
from kit.admin.forms.amount_fields import AmountField, MeasureField, PercentageField, TypedNumber
from kit.admin.forms.moment_fields import DayField, MomentField
from orders.admin.actions import action_url
from orders.admin.exporting.export_form import ExportForm
from orders.admin.forms import FORMS
from payments.admin.movement_forms import CaptureForm, RefundForm
from shop.models import Region
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import store_credit
from tests.factories.inventory import stock
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.fulfillment.admin.test_admin import a_zone
from tests.giftcards.books import balance
from tests.kit.admin.forms import confirmed, errors, row, sent, submit
from tests.kit.admin.visits import superuser
from tests.orders.returns.shop import delivered

pytestmark = pytest.mark.django_db
OPTION, REGION = "/admin/fulfillment/shippingoption/", "/admin/shop/region/"


@pytest.fixture
def client() -> Client:
    return superuser()


def all_fields() -> Iterator[tuple[str, forms.Field]]:
    """The fields of every form of the admin site, with their places."""
    request = RequestFactory().get("/")
    request.user = UserFactory(is_superuser=True)
    for model, screen in admin.site._registry.items():
        kinds = [screen.get_form(request)] if screen.has_add_permission(request) else []
        kinds += [inline.get_formset(request).form for inline in screen.get_inline_instances(request)]
        for kind in kinds:
            for name, field in kind.base_fields.items():
                yield f"{model._meta.label} {kind.__name__} {name}", field
    for kind in (*FORMS.values(), CaptureForm, RefundForm, AdjustmentForm, GiftForm, ExportForm):
        for name, field in kind.base_fields.items():
            yield f"{kind.__name__} {name}", field


def test_every_amount_and_every_date_has_the_field_that_reads_it() -> None:
    seen, wrong = set(), []
    for place, field in all_fields():
        if isinstance(field, forms.IntegerField):  # the base of those for decimals
            seen.add(place)
            wrong += [] if isinstance(field, TypedNumber) else [place]
            wrong += [f"{place}: a number input"] if field.widget.input_type != "text" else []
        elif isinstance(field, forms.DateField | forms.DateTimeField | forms.SplitDateTimeField):
            seen.add(place)
            wrong += [] if isinstance(field, DayField | MomentField) else [place]
    assert wrong == []
    assert len(seen) >= 35


@pytest.mark.parametrize(
    ("field", "initial", "text", "message"),
    [
        (AmountField(min_value=Decimal("0.01")), Decimal("0.00"), "0.00", "greater than or equal to 0.01"),
        (AmountField(max_digits=5), Decimal("1234.50"), "1234.50", "no more than 5 digits"),
        (AmountField(decimal_places=2), Decimal("3.400"), "3.400", "no more than 2 decimal places"),
        (AmountField(currency_code="eur"), Decimal("3.456"), "3.456", "more than 2 decimals of eur"),
        (PercentageField(max_value=1000), Decimal(1001), "1001", "less than or equal to 1000"),
        (MeasureField(min_value=1), 0.125, "0.125", "greater than or equal to 1"),
    ],
)
def test_what_was_shown_is_not_parsed_but_checked(field: forms.Field, initial: object, text: str, message: str) -> None:
    kind = type("Kind", (forms.Form,), {"value": field})
    form = kind({"value": text}, initial={"value": initial})
    assert form["value"].value() == text
    [error] = form.errors["value"]
    assert message in error


class TestCounts:
    """A number field of a browser drops what it does not understand, or sends nothing."""

    @pytest.mark.parametrize(("text", "count"), [("1.000", 1000), ("1 000", 1000), ("1,000", 1000), (" 12 ", 12)])
    def test_stock_is_a_whole_number_with_separators(self, client: Client, text: str, count: int) -> None:
        address = f"/admin/catalog/inventoryitem/{stock(VariantFactory(), 7).inventory_item_id}/change/"
        submit(client, address, sent(client, address, **{"levels-0-stocked_quantity": text}))
        assert InventoryLevel.objects.get().stocked_quantity == count

    @pytest.mark.parametrize(("text", "error"), [("1.5", "Enter a whole number."), ("1o", "Enter a number.")])
    def test_anything_else_is_refused_as_it_was_typed(self, client: Client, text: str, error: str) -> None:
        address = f"/admin/catalog/inventoryitem/{stock(VariantFactory(), 7).inventory_item_id}/change/"
        answer = client.post(address, sent(client, address, **{"levels-0-stocked_quantity": text}))
        assert errors(answer) == {"levels-0-stocked_quantity": [error]}
        assert f'value="{text}"' in answer.content.decode()

    def test_units_of_orders_and_cells_of_variants_are_such_fields(self, client: Client) -> None:
        order = delivered()
        variant = VariantFactory(product=ProductFactory())
        stock(variant, 7)
        for page, field in (
            (action_url(order.pk, "request-return"), 'inputmode="numeric"'),
            (f"/admin/catalog/product/{variant.product_id}/change/?tables=1", 'inputmode="text"'),
        ):
            html = client.get(page).content.decode()
            assert field in html
            assert 'type="number"' not in html


class TestPercentages:
    @pytest.mark.parametrize(("text", "rate"), [("7,5", "7.5"), ("19,000", "19"), ("9.975", "9.975"), ("5,5", "5.5")])
    def test_a_tax_rate_is_read(self, client: Client, text: str, rate: str) -> None:
        region = RegionFactory()
        address = f"{REGION}{region.pk}/change/"
        submit(client, address, sent(client, address, tax_rate=text))
        assert Region.objects.get(pk=region.pk).tax_rate == Decimal(rate)

    def test_a_rate_above_100_is_none_unless_the_form_has_shown_it(self, client: Client) -> None:
        region = RegionFactory()
        Region.objects.filter(pk=region.pk).update(tax_rate=125)
        address = f"{REGION}{region.pk}/change/"
        submit(client, address, sent(client, address, name="Elsewhere"))
        assert Region.objects.get(pk=region.pk).tax_rate == 125
        answer = client.post(address, sent(client, address, tax_rate="130"))
        assert errors(answer) == {"tax_rate": ["Ensure this value is less than or equal to 100."]}

    def test_prices_are_reduced_by_12_5_percent(self, client: Client) -> None:
        price(VariantFactory(), 10, "eur")
        sale = PriceListFactory()
        address = f"/admin/catalog/pricelist/{sale.pk}/change/"
        submit(client, address, sent(client, address, reduce_by="12,5"))
        assert Price.objects.get(price_list=sale).amount == Decimal("8.75")

    def test_a_promotion_is_a_percentage_or_an_amount(self, client: Client) -> None:
        RegionFactory(currency_id="eur")
        address = "/admin/carts/promotion/add/"
        given = {"code": "A", "type": "percentage", "value": "12,500", "target": "order"}
        submit(client, address, sent(client, address, **given))
        given = {"code": "B", "type": "fixed", "value": "1.234,50", "currency": "eur", "target": "order"}
        submit(client, address, sent(client, address, **given))
        assert dict(Promotion.objects.values_list("code", "value")) == {"A": Decimal("12.5"), "B": Decimal("1234.5")}
        of_amount = Promotion.objects.get(code="B")
        assert sent(client, f"/admin/carts/promotion/{of_amount.pk}/change/")["value"] == ["1234.50"]
        answer = client.post(address, sent(client, address, **{**given, "code": "C", "value": "3.400"}))
        assert errors(answer) == {"value": ["'3.400' can be 3.40 or 3400.00. Enter one of the two."]}


class TestPrices:
    @pytest.mark.parametrize(
        ("code", "text", "amount"),
        [
            ("eur", "3,40", "3.40"),
            ("eur", "1 234,50", "1234.50"),
            ("EUR ", "1'234.50", "1234.50"),
            ("jpy", "1,234", "1234"),
            ("kwd", "1,234", "1.234"),
        ],
    )
    def test_the_currency_beside_it_says_what_a_text_is(
        self, client: Client, code: str, text: str, amount: str
    ) -> None:
        variant = VariantFactory(price_set=None)
        address = f"/admin/catalog/productvariant/{variant.pk}/change/"
        submit(client, address, row(sent(client, address), "prices", currency=code, amount=text))
        assert Price.objects.get().amount == Decimal(amount)

    def test_what_was_shown_is_read_back_also_in_another_currency(self, client: Client) -> None:
        """`3.400` of Kuwait, which nobody has typed, is no more than 3.4 in Germany."""
        variant = VariantFactory()
        price(variant, "3.4", "kwd")
        address = f"/admin/catalog/productvariant/{variant.pk}/change/"
        values = sent(client, address, **{"prices-0-currency": "eur"})
        assert values["prices-0-amount"] == ["3.400"]
        submit(client, address, values)
        assert Price.objects.values_list("currency", "amount").get() == ("eur", Decimal("3.4"))

    def test_a_shipping_price_and_its_limits_are_read(self, client: Client) -> None:
        option = ShippingOption.objects.create(name="Express", service_zone=a_zone())
        address = f"{OPTION}{option.pk}/change/"
        cells = {"currency": "eur", "amount": "4,90", "from_total": "5", "below_total": "1.234,50"}
        submit(client, address, row(sent(client, address), "prices", **cells))
        assert Price.objects.get().amount == Decimal("4.9")
        assert {rule.value for rule in PriceRule.objects.all()} == {"5", "1234.50"}
        answer = client.post(address, sent(client, address, **{"prices-0-from_total": "3.400"}))
        assert errors(answer) == {"prices-0-from_total": ["'3.400' can be 3.40 or 3400.00. Enter one of the two."]}

    def test_the_values_of_rules_about_amounts_are_read_and_others_are_not(self, client: Client) -> None:
        option = ShippingOption.objects.create(name="Express", service_zone=a_zone())
        stored = {"shipping_option": option, "attribute": "item_total"}
        ShippingOptionRule.objects.create(**stored, operator="in", value=["1.125"])
        address = f"{OPTION}{option.pk}/change/"
        values = sent(client, address, **{"rules-0-value": "1.125\n1.234,50\n3,4"})
        values = row(values, "rules", attribute="shipping_address.postal_code", operator="eq", value="1,234")
        submit(client, address, values)
        assert [*ShippingOptionRule.objects.order_by("attribute").values_list("value", flat=True)] == [
            ["1.125", "1234.50", "3.4"],
            "1,234",
        ]
        answer = client.post(address, sent(client, address, **{"rules-0-value": "2.125"}))
        assert errors(answer) == {"rules-0-value": ["'2.125' can be 2.1250 or 2125.0000. Enter one of the two."]}

    def test_a_stored_weight_is_read_back_and_a_typed_one_keeps_its_comma(self, client: Client) -> None:
        variant = VariantFactory(weight=1.125)
        address = f"/admin/catalog/productvariant/{variant.pk}/change/"
        submit(client, address, sent(client, address, length="0,25"))
        assert ProductVariant.objects.values_list("weight", "length").get(pk=variant.pk) == (1.125, 0.25)


class TestMoney:
    """Forms that move money repeat the amount with its currency; those of orders and payments have tests there."""

    ADD, GIVE = "/admin/giftcards/giftcard/add/", "/admin/giftcards/storecreditaccount/give/"

    def test_gift_cards_are_issued_once_their_worth_was_confirmed(self, client: Client) -> None:
        RegionFactory(currency_id="eur")
        values = sent(client, self.ADD)
        values = {**values, "value": ["1.234,50"], "currency": ["eur"], "count": ["2"], "confirmed": [""]}
        answer = client.post(self.ADD, values)
        said = "Issue 2 cards of 1.234,50\u00a0€, 2.469,00\u00a0€ together for anyone with the code?"
        assert said in answer.content.decode()
        assert not GiftCard.objects.exists()
        client.post(self.ADD, confirmed(client, self.ADD, values))
        assert set(GiftCard.objects.values_list("value", "currency")) == {(Decimal("1234.5"), "eur")}

    def test_another_amount_is_asked_about_again(self, client: Client) -> None:
        account = store_credit(CustomerFactory(), 10)
        address = f"/admin/giftcards/storecreditaccount/{account.pk}/adjust/"
        values = sent(client, address, amount="-3,40", reason="recount")
        assert "Take $3.40 from" in client.post(address, {**values, "confirmed": [""]}).content.decode()
        answer = client.post(address, {**values, "amount": ["3,40"]})
        assert answer.context["form"].question.text == "Give $3.40"
        assert balance(account.customer) == 10
        client.post(address, values)
        assert balance(account.customer) == Decimal("6.6")

    def test_credit_in_a_currency_without_decimals_has_thousands(self, client: Client) -> None:
        RegionFactory(currency_id="jpy")
        ann = CustomerFactory()
        given = {"customer": ann.pk, "currency": "jpy", "amount": "1,234", "reason": "sorry"}
        values = sent(client, self.GIVE, **given)
        answer = client.post(self.GIVE, {**values, "confirmed": [""]})
        assert f"Give ¥1,234 to {ann.email}?" in answer.content.decode()
        client.post(self.GIVE, values)
        assert balance(ann, "jpy") == 1234

    def test_another_customer_is_asked_about_again_also_one_of_the_same_address(self, client: Client) -> None:
        RegionFactory(currency_id="eur")
        guest, ann = (CustomerFactory(email="ann@example.com", has_account=each) for each in (False, True))
        for address, amount in ((self.GIVE, "amount"), (self.ADD, "value")):
            given = {"customer": guest.pk, "currency": "eur", amount: "5", "reason": "sorry"}
            values = sent(client, address, **given)
            answer = client.post(address, {**values, "customer": [ann.pk]})
            assert "5,00\u00a0€" in answer.context["form"].question.text
        assert not GiftCard.objects.exists()
        assert not StoreCreditAccount.objects.exists()

    def test_what_is_above_the_balance_is_refused_before_it_is_asked_about(self, client: Client) -> None:
        account = store_credit(CustomerFactory(), "3.40")
        address = f"/admin/giftcards/storecreditaccount/{account.pk}/adjust/"
        for amount, message in (
            ("-340", "Take $340.00: the amount can be at most $3.40."),
            ("0", "Enter an amount other than 0."),
        ):
            form = client.post(address, {**sent(client, address), "amount": [amount], "reason": ["x"]}).context["form"]
            assert (form.question, form.errors) == (None, {"amount": [message]})

    def test_an_amount_that_can_be_negative_has_a_phone_show_all_keys(self, client: Client) -> None:
        account = store_credit(CustomerFactory(), 10)
        page = client.get(f"/admin/giftcards/storecreditaccount/{account.pk}/adjust/").content.decode()
        assert 'inputmode="text"' in page
        assert 'inputmode="decimal"' in client.get(self.GIVE).content.decode()
