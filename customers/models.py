"""Customers and their addresses."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet, unique_unless_deleted
from kit.search.documents import Documented, DocumentField
from kit.values.ids import IdField
from kit.values.timestamps import TimestampField
from shop.models.addresses import PostalAddress


class CustomerQuerySet(ResourceQuerySet):
    """Customers, limited to what the actor may see. customer: the column with the customer's id."""

    customer: ClassVar[str] = "pk"

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; customers see only themselves."""
        rows = self if with_deleted else self.not_deleted()
        if actor.may("customers.view_customer"):
            return rows
        if actor.type != "customer" or actor.id is None:
            return rows.none()
        return rows.filter(**{self.customer: actor.id})


class CustomerGroupQuerySet(ResourceQuerySet):
    """Customer groups, which only staff see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; others none."""
        if not actor.may("customers.view_customergroup"):
            return self.none()
        return self if with_deleted else self.not_deleted()


class TaxExemption(models.Model):
    """Exemption from taxes, which only staff and shop files can set.

    tax_exempt_countries: their codes, sorted; null for all. tax_exempt_until: the last day, in the shop's time zone;
    null if it does not end.
    """

    is_tax_exempt = models.BooleanField(default=False, db_default=False)
    tax_exempt_countries = models.JSONField(null=True, blank=True)
    tax_exempt_until = models.DateField(null=True, blank=True)

    class Meta:
        abstract = True


class CustomerGroup(TaxExemption, BaseModel):
    """A group of customers, for which there can be special prices and taxes."""

    id = IdField(prefix="cusgroup")
    name = models.CharField(max_length=255)
    metadata = models.JSONField(null=True, blank=True)

    objects = CustomerGroupQuerySet.as_manager()

    class Meta:
        constraints = [unique_unless_deleted("name", name="customers_group_name_taken")]

    def __str__(self) -> str:
        return self.name


class Customer(TaxExemption, Documented, BaseModel):
    """A customer. One with an account can sign in; a guest with the same email address is a different customer.

    tax_number: of a business, as staff have checked it, whether it is exempt or not.
    note: notes of staff for each other; customers never see them.
    erased_at: when the personal data was erased (orders/erasure). The id remains.
    """

    event_name = "customer"
    id = IdField(prefix="cus")
    email = models.EmailField(null=True, blank=True)
    has_account = models.BooleanField(default=False)
    company_name = models.TextField(null=True, blank=True)
    first_name = models.TextField(null=True, blank=True)
    last_name = models.TextField(null=True, blank=True)
    phone = models.TextField(null=True, blank=True)
    tax_number = models.TextField(null=True, blank=True)
    groups = models.ManyToManyField(CustomerGroup, blank=True, related_name="customers")
    note = models.TextField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)
    erased_at = TimestampField(null=True, blank=True, editable=False)
    document = DocumentField(columns=("email", "first_name", "last_name", "company_name", "phone"), db_default="")

    objects = CustomerQuerySet.as_manager()

    class Meta:
        permissions = [
            ("erase_customer", "Can erase the personal data of a customer or guest"),
            ("export_customer", "Can export customers"),
        ]
        indexes = [models.Index(fields=["erased_at"], condition=~Q(erased_at=None), name="customers_customer_erased")]
        constraints = [
            unique_unless_deleted("email", "has_account", name="customers_customer_email_taken"),
            models.CheckConstraint(
                condition=Q(email=None) | Q(email=Lower("email")), name="customers_customer_email_lower"
            ),
            models.CheckConstraint(
                condition=Q(has_account=False) | Q(email__isnull=False), name="customers_customer_account"
            ),
        ]

    def __str__(self) -> str:
        return self.email or self.id


class CustomerAddressQuerySet(CustomerQuerySet):
    """Addresses, which only their customer and staff see."""

    customer = "customer_id"


class CustomerAddress(PostalAddress, BaseModel):
    """An address of a customer; at most one is the default for shipping, and one for billing."""

    touches = ("customer",)
    id = IdField(prefix="cuaddr")
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="addresses")
    address_name = models.TextField(null=True, blank=True)
    is_default_shipping = models.BooleanField(default=False)
    is_default_billing = models.BooleanField(default=False)

    objects = CustomerAddressQuerySet.as_manager()

    class Meta:
        verbose_name = "address"
        verbose_name_plural = "addresses"
        constraints = [
            models.UniqueConstraint(
                fields=["customer"],
                condition=Q(is_default_shipping=True, deleted_at=None),
                name="customers_default_shipping",
            ),
            models.UniqueConstraint(
                fields=["customer"],
                condition=Q(is_default_billing=True, deleted_at=None),
                name="customers_default_billing",
            ),
        ]

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.address_name, super().__str__())))
