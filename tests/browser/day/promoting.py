"""What staff do for those who are to buy: offers of each kind."""

from carts.models import Promotion, PromotionRule
from catalog.models import ProductCollection
from customers.models import CustomerGroup
from tests.browser.day.person import Person


def add_a_promotion(staff: Person) -> None:
    """Ten percent off the items, by a code."""
    _begin(staff, "Discount on products", "MUGWEEK")
    staff.enter("value", "10")
    staff.picture("promotion")
    _save(staff, "MUGWEEK", "10 % off items.")


def reduce_a_collection(staff: Person) -> None:
    """Twenty percent off a collection for a weekend."""
    collection = ProductCollection.objects.create(title="Harbour days", handle="harbour-days")
    _begin(staff, "Discount on products", "HARBOUR", is_automatic=True)
    staff.enter("value", "20")
    staff.pick("target_rules_product_collection_0", collection.title)
    staff.enter_day("starts_at_0", "2027-05-01")
    staff.enter_day("ends_at_0", "2027-05-02")
    _save(staff, "HARBOUR", "20 % off items of the collection Harbour days.")
    made = Promotion.objects.get(code="HARBOUR")
    assert made.is_automatic
    assert made.starts_at
    assert made.ends_at


def limit_to_one_use(staff: Person) -> None:
    """Ten percent off the order, once per customer."""
    _begin(staff, "Discount on the order", "ONCE")
    staff.enter("value", "10")
    staff.enter("usage_limit_per_customer", "1")
    _save(staff, "ONCE", "10 % off the order.")
    assert Promotion.objects.get(code="ONCE").usage_limit_per_customer == 1


def ship_free_from_50(staff: Person) -> None:
    """Free shipping for orders of 50 and more."""
    _begin(staff, "Shipping discount", "FREE50", is_automatic=True)
    staff.enter("rules_item_total", "50")
    _save(staff, "FREE50", "Free shipping, with at least £50.00 of goods, in GBP.")


def give_one_for_two(staff: Person) -> None:
    """Buy two of a product, get one free."""
    _begin(staff, "Buy X get Y", "TWOPLUSONE", is_automatic=True)
    staff.enter("buy_rules_min_quantity", "2")
    staff.enter("apply_to_quantity", "1")
    staff.pick("buy_rules_product_0", "Harbour Mug")
    staff.picture("buyget")
    _save(staff, "TWOPLUSONE", "Buy 2 items of the product Harbour Mug, get 1 more free.")


def reward_members(staff: Person) -> None:
    """Fifteen percent off the order, for a group of customers."""
    group = CustomerGroup.objects.create(name="Regulars")
    _begin(staff, "Discount on the order", "REGULARS")
    staff.enter("value", "15")
    staff.pick("rules_customer_group_0", group.name)
    _save(staff, "REGULARS", "15 % off the order, for customers in the group Regulars.")
    assert PromotionRule.objects.filter(promotion__code="REGULARS").count() == 1


def _begin(staff: Person, kind: str, code: str, *, is_automatic: bool = False) -> None:
    staff.menu("Promotions")
    staff.activate("a", kind)
    staff.enter("code", code)
    if is_automatic:
        staff.reach("[name=is_automatic]")
        staff.press(" ")


def _save(staff: Person, code: str, sentence: str) -> None:
    said = staff.save().replace("\u00a0", " ")
    assert f"{code}” was added successfully" in said
    assert sentence in said
