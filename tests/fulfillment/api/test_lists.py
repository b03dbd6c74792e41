"""The list of ways of shipping: its fields, order and page, and whose cart it is for."""

import pytest

from carts.models import Cart
from fulfillment.models import ShippingOption
from kit.values.timestamps import now
from tests.contract.callers import Caller, invalid, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.fulfillment import option
from tests.factories.shop import SalesChannelFactory
from tests.fulfillment.api.listing import PATH, names

pytestmark = pytest.mark.django_db


class TestLists:
    def test_fields_order_and_page(self, store: Caller) -> None:
        for name, amount in (("b", 3), ("a", 7), ("c", 5)):
            option(amount, name=name)
        option(None, name="d", price_type="calculated", type=None)
        cart = make.cart()

        def listed(query: str) -> list[str]:
            answer = store.get(PATH, f"cart_id={cart.pk}&fields=name&{query}").json()
            assert answer["count"] == answer["estimate_count"] == 4
            return [each["name"] for each in answer["shipping_options"]]

        assert listed("order=name") == ["a", "b", "c", "d"]
        assert listed("order=-name") == ["d", "c", "b", "a"]
        assert listed("order=amount") == ["b", "c", "a", "d"]
        assert listed("order=-amount") == ["d", "a", "c", "b"]
        assert listed("order=type.label&limit=3")[-1] != "d"
        assert listed("order=name&offset=1&limit=2") == ["b", "c"]
        assert listed("limit=0") == []
        assert listed("offset=4") == []
        assert listed("") == sorted(listed(""), key=lambda name: ShippingOption.objects.get(name=name).pk)

    @pytest.mark.parametrize(
        ("query", "reported"),
        [
            ("is_return=maybe", "Expected type: 'boolean' for field 'is_return', got: 'maybe'"),
            ("limit=1001", "Value for field 'limit' too big, expected at most: '1000'"),
            ("q=a", "Unrecognized fields: 'q'"),
            ("$and[0][name]=a", "Unrecognized fields: 'name'"),
            ("$or[0][is_return]=1", "Expected type: 'boolean' for field 'is_return', got: '1'"),
            ("$or[0][cart_id]=other", "Field 'cart_id' within $and and $or has to be 'cart_1', got: 'other'"),
        ],
    )
    def test_what_is_not_understood_is_refused(self, store: Caller, query: str, reported: str) -> None:
        assert refusal(store.get(PATH, f"cart_id=cart_1&{query}")) == invalid(reported)

    def test_orders_and_fields_that_there_are_none_of(self, store: Caller) -> None:
        assert refusal(store.get(PATH, "cart_id=c&order=data")) == (400, "Order field data is not valid")
        assert refusal(store.get(PATH, "cart_id=c&fields=rules")) == (400, "Requested fields [rules] are not valid")

    @pytest.mark.parametrize("query", ["", "is_return=true", "$and[0][cart_id]=cart_1"])
    def test_a_cart_has_to_be_named(self, store: Caller, query: str) -> None:
        assert refusal(store.get(PATH, query)) == invalid("Field 'cart_id' is required")

    def test_a_list_of_carts_is_no_cart(self, store: Caller) -> None:
        assert store.get(PATH, "cart_id[]=a&cart_id[]=b").status_code == 400


class TestWhoseCart:
    def test_anyone_who_knows_the_id_is_answered_but_nobody_signed_in_as_somebody_else(self, store: Caller) -> None:
        option(5, name="shown")
        ann, ben = CustomerFactory(), CustomerFactory()
        token = publishable_key().token
        region = make.selling_region().pk
        hers = make.cart(actor=make.shopper(customer_id=ann.pk), region_id=region)
        guests = make.cart(region_id=region)
        as_ann, as_ben = (
            Caller(x_publishable_api_key=token, Authorization=f"Bearer {token_of(each)}") for each in (ann, ben)
        )
        assert names(store, hers) == names(as_ann, hers) == names(as_ben, guests) == ["shown"]
        answer = refusal(as_ben.get(PATH, f"cart_id={hers.pk}"))
        assert answer == (404, f"Cart with id: {hers.pk} was not found")

    def test_carts_of_other_channels_and_deleted_ones_are_not_found(self, store: Caller) -> None:
        cart = make.cart()
        other = storefront(publishable_key(SalesChannelFactory()))
        assert refusal(other.get(PATH, f"cart_id={cart.pk}"))[0] == 404
        Cart.objects.update(deleted_at=now())
        for cart_id in (cart.pk, "nobody", ""):
            assert refusal(store.get(PATH, f"cart_id={cart_id}")) == (404, f"Cart with id: {cart_id} was not found")

    def test_every_cart_that_exists_is_answered(self, store: Caller) -> None:
        nowhere = make.cart(region_id=make.selling_region(countries=[]).pk)
        bought = make.cart()
        Cart.objects.filter(pk=bought.pk).update(completed_at=now())
        assert names(store, nowhere) == names(store, bought) == []
