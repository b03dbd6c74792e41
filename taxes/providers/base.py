"""The interface of tax providers. Your own provider is a subclass of Provider that settings name.

settings.TAX_PROVIDERS maps provider ids to dotted names, and a country's tax region names its provider by the id. One
instance serves all requests of a process, so it must not keep state between calls.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from kit.values import money, text
from kit.values.money import PercentField

_LONGEST_CODE = 64


@dataclass(frozen=True, slots=True)
class TaxAddress:
    """Where the goods go. Codes are lower-case; a province that is not in ISO 3166-2 stays as entered."""

    country_code: str
    postal_code: str
    province: str | None
    city: str | None
    address_1: str | None
    address_2: str | None


@dataclass(frozen=True, slots=True)
class TaxedGoods:
    """A line of a cart or one that is added to an order, or a shipping method, whose shipping_option_id is set.

    amount: of all units after discounts, in major units (12.50). is_tax_inclusive: whether amount includes tax.
    """

    product_id: str | None
    product_type_id: str | None
    shipping_option_id: str | None
    quantity: int
    amount: Decimal
    is_tax_inclusive: bool


@dataclass(frozen=True, slots=True)
class TaxRequest:
    """The taxable part of a cart: its lines except gift cards, then its shipping methods. Or what an edit adds.

    customer_id: None for guests. tax_number: the customer's.
    """

    currency_code: str
    address: TaxAddress
    goods: Sequence[TaxedGoods]
    customer_id: str | None
    tax_number: str | None


@dataclass(frozen=True, slots=True)
class Rate:
    """A tax, in percent: 0 to 1000, with at most four decimals. code, name: shown to customers.

    Raises ValueError if out of range or too long; the whole response is then invalid.
    """

    rate: Decimal
    code: str
    name: str

    def __post_init__(self) -> None:
        money.stored(self.rate)
        if not 0 <= self.rate <= PercentField.LARGEST:
            raise ValueError(f"A tax rate must be between 0 and {PercentField.LARGEST} %, not {self.rate} %")
        for value, longest in ((self.code, _LONGEST_CODE), (self.name, text.LONGEST)):
            if problem := text.fault(value, longest=longest, may_be_blank=False, one_line=True):
                raise ValueError(problem)


class Provider(ABC):
    """A tax provider. It is called outside transactions, in a thread of its own.

    A call times out after settings.TAX_PROVIDER_TIMEOUT seconds. If it times out, raises or returns something invalid,
    the shop's own rates apply, and the pages of the cart and the order say so.
    """

    @abstractmethod
    def rates(self, request: TaxRequest) -> Sequence[Sequence[Rate]]:
        """Return the taxes on each of request.goods, in that order: none, one or two, on the net amount."""
