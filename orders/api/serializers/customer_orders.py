"""The orders of a customer. Storefronts ask for them on every page, so they are the columns of the rows alone."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from kit.reads.declarations.computed import Batch, BatchRelation
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.plans import rows
from kit.reads.plans.rows import Answer
from kit.reads.sql.keyed_rows import KeyedRows
from orders.api.serializers.orders import OrderColumnsSerializer
from orders.models import Order
from orders.models.orders import OrderQuerySet

MOST = 100


class CustomerOrderSerializer(OrderColumnsSerializer):
    """An order of the customer, without its lines."""

    class Meta:
        model = Order


_FIELDS = CustomerOrderSerializer._declared_fields
_SOURCES = {name: field.source or name for name, field in _FIELDS.items()}
_COLUMNS = tuple(dict.fromkeys(_SOURCES.values()))
_build = rows.row_builder(
    {name: rows.column(_COLUMNS.index(_SOURCES[name]), rows.decoder_of(field)) for name, field in _FIELDS.items()}
)


def _newest(sales_channel_ids: tuple[str, ...]) -> OrderQuerySet:
    place = Window(RowNumber(), partition_by="customer_id", order_by=[F("created_at").desc(), F("id").desc()])
    found: OrderQuerySet = Order.objects.not_deleted().filter(sales_channel_id__in=sales_channel_ids)
    numbered: OrderQuerySet = found.annotate(place=place).filter(place__lte=MOST)
    return numbered


_NEWEST = KeyedRows(_newest, key="customer_id", columns=(*_COLUMNS, "place"))


def _of_customers(batch: Batch) -> Sequence[list[Answer]]:
    """The newest orders of the signed-in customer; another customer's stay empty."""
    actor = batch.actor
    own = [key for (key,) in batch.rows if actor.type == "customer" and key == actor.id]
    found: defaultdict[str, list[Answer]] = defaultdict(list)
    for row in sorted(_NEWEST.read(own[:1], actor.sales_channel_ids), key=lambda row: int(row[-1])):
        order = _build(row)
        found[order["customer_id"]].append(order)
    return [found[key] for (key,) in batch.rows]


def _order() -> ResourceSerializerClass:
    return CustomerOrderSerializer


ORDERS_OF_CUSTOMER = BatchRelation(
    _order,
    columns=("id",),
    load=_of_customers,
    many=True,
    help_text=f"The newest {MOST}, without their lines; `GET /store/orders` has all of them.",
)
"""The relation that the customer's serializer gets."""
