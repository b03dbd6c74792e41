"""Which of a customer's addresses are the default ones: for shipping at most one, for billing at most one."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from commerce.core.timestamps import now
from customers.models import CustomerAddress

FLAGS = ("is_default_shipping", "is_default_billing")


def make_way(address: CustomerAddress, values: Mapping[str, Any]) -> None:
    """Take from the customer's other addresses what the values give to this one. Under the customer's lock.

    One statement where the address becomes a default, none where it is not to be, or is already.
    """
    taken = [flag for flag in FLAGS if values.get(flag) and not getattr(address, flag)]
    if not taken:
        return
    others = CustomerAddress.objects.filter(customer_id=address.customer_id).exclude(pk=address.pk)
    having = Q(*((flag, True) for flag in taken), _connector=Q.OR)
    others.filter(having).update(**dict.fromkeys(taken, False), updated_at=now())
