"""A checklist on the overview: what a new shop needs before a storefront can show a product."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from apikeys.models import ApiKey
from apikeys.states import KeyType
from catalog.models import Price, Product, ProductVariant
from catalog.states import ProductStatus
from fulfillment.models import FulfillmentSet, ServiceZone, ShippingOption
from kit.admin.pages.dashboard import Panel, panel
from kit.admin.sections import Section
from kit.domain.actor import Actor
from shop.models import Region, ShippingProfile, StockLocation, Store

_SHIPPING = (
    ("shop", "stocklocation"),
    ("shop", "shippingprofile"),
    ("fulfillment", "fulfillmentset"),
    ("fulfillment", "servicezone"),
    ("fulfillment", "shippingoption"),
)
"""What a product needs to be shipped, by app and model; each form asks for rows of the ones before it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step. address: its page; "" if it has none, or none that this user may open."""

    title: str
    note: str
    is_done: bool
    address: str = ""


@panel("shop.change_store")
def first_steps_panel(actor: Actor) -> Panel | None:
    """For users who may set up the shop, until all steps are done. One statement."""
    steps = _steps(actor)
    if all(step.is_done for step in steps):
        return None
    done = sum(step.is_done for step in steps)
    return Panel(
        section=Section.SETTINGS,
        title=f"First steps: {done} of {len(steps)} done",
        rank=-1,
        is_wide=True,
        template="overview/first_steps.html",
        content=steps,
    )


def _steps(actor: Actor) -> list[Step]:
    found = _present_rows()
    app, model = next(((app, name) for app, name in _SHIPPING if not found[name]), _SHIPPING[-1])
    return [
        Step("Add a region", "The countries you sell to, with their currency, taxes and payment providers.",
             found["region"], _add(actor, "shop", "region")),
        Step("Offer shipping", "A stock location holds the goods, and a shipping profile groups those that ship alike. "
             "A fulfillment set says where they ship from, a service zone where they ship to, and a shipping option "
             "how and at what price.",
             all(found[name] for _, name in _SHIPPING), _add(actor, app, model)),
        Step("Publish a product", "With a variant that has a price in the currency of the region.",
             found["product"], _add(actor, "catalog", "product")),
        Step("Create a publishable key", "The storefront sends it with each request. Its sales channels decide what is "
             "for sale.",
             found["key"], _add(actor, "apikeys", "apikey")),
        Step("Connect the storefront", "Give it the key. This step is done within a minute of its first request.",
             found["request"]),
    ]  # fmt: skip


def _add(actor: Actor, app: str, model: str) -> str:
    return reverse(f"admin:{app}_{model}_add") if actor.may(f"{app}.add_{model}") else ""


def _present_rows() -> dict[str, bool]:
    """By name, what there is already."""
    priced = ProductVariant.objects.not_deleted().filter(
        Exists(Price.objects.not_deleted().filter(price_set=OuterRef("price_set"))), product=OuterRef("pk")
    )
    keys = ApiKey.objects.active().filter(type=KeyType.PUBLISHABLE)
    kinds = {
        "region": Region.objects.not_deleted().filter(countries__isnull=False),
        "stocklocation": StockLocation.objects.not_deleted(),
        "shippingprofile": ShippingProfile.objects.not_deleted(),
        "fulfillmentset": FulfillmentSet.objects.not_deleted(),
        "servicezone": ServiceZone.objects.not_deleted(),
        "shippingoption": ShippingOption.objects.not_deleted(),
        "product": Product.objects.not_deleted().filter(Exists(priced), status=ProductStatus.PUBLISHED),
        "key": keys,
        "request": keys.filter(~Q(last_used_at=None)),
    }
    row: dict[str, bool] = (
        Store.objects.annotate(**{f"has_{name}": Exists(rows) for name, rows in kinds.items()})
        .values(*(f"has_{name}" for name in kinds))
        .get()
    )
    return {name: row[f"has_{name}"] for name in kinds}
