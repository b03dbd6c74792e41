"""The fields of a draft, by what they are about."""

from collections.abc import Mapping, Sequence
from typing import cast

from django import forms
from django.contrib import admin
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from carts.details.addresses import Address
from carts.models import Cart, CartAddress, CartPromotion
from customers.models import Customer, CustomerAddress
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.searched_rows import SearchedRow
from kit.values import email_address
from orders.admin.forms.address_fields import ADDRESS_FIELDS, add_address_fields
from shop.models import Country, Region, SalesChannel, Store
from shop.models.addresses import PostalAddress

COUNTRY = "country_code"
CODES, CHANNEL, REGION = "promo_codes", "sales_channel", "region"
SHIPPING, BILLING = "shipping_", "billing_"


def add_contact_fields(form: forms.Form, draft: Cart | None, *, sees_customers: bool) -> None:
    """The email address, and the customer for those who may look for one."""
    form.fields["email"] = forms.CharField(
        label="Email",
        required=False,
        max_length=email_address.LONGEST,
        initial=draft and draft.email,
        widget=UnfoldAdminEmailInputWidget(attrs={"autocomplete": "off"}),
        help_text="Of the customer by default.",
    )
    if sees_customers:
        form.fields["customer"] = RowChoice(
            Customer.objects.not_deleted(),
            label="Customer",
            required=False,
            initial=draft and draft.customer_id,
            widget=SearchedRow(Cart._meta.get_field("customer"), admin.site),
            help_text="Brings email and default address, where none is entered.",
        )


def add_places(form: forms.Form, draft: Cart | None, region: Region | None) -> None:
    """The addresses, each with its country, and where the draft is sold."""
    countries = Country.objects.not_deleted().order_by("display_name")
    sold = countries.filter(region__deleted_at=None, region__isnull=False)
    choices = list((sold.filter(region=draft.region_id) if draft else sold).values_list("pk", "display_name", "region"))
    own = [code for code, _, of in choices if region is not None and of == region.pk]
    everywhere = list(countries.values_list("pk", "display_name"))
    known = (draft.shipping_address, other_billing(draft)) if draft else (None, None)
    for prefix, address in zip((SHIPPING, BILLING), known, strict=True):
        add_address_fields(form, prefix, of=address)
        form.fields[f"{prefix}{COUNTRY}"] = forms.ChoiceField(
            label="Country",
            required=False,
            choices=[("", "None"), *(everywhere if prefix == BILLING else [each[:2] for each in choices])],
            initial=address.country_code if address else (own[0] if len(own) == 1 and prefix == SHIPPING else ""),
            widget=UnfoldAdminSelectWidget,
        )
    default_channel = Store.objects.values_list("default_sales_channel", flat=True).get()
    if draft is None:
        form.fields[REGION] = RowChoice(
            Region.objects.not_deleted().order_by("name"),
            label="Region",
            initial=region and region.pk,
            widget=UnfoldAdminSelectWidget,
        )
    form.fields[CHANNEL] = RowChoice(
        SalesChannel.objects.not_deleted().order_by("name"),
        label="Sales channel",
        initial=draft.sales_channel_id if draft else default_channel,
        empty_label=None,
        widget=UnfoldAdminSelectWidget,
    )


def other_billing(draft: Cart) -> CartAddress | None:
    """The billing address, if it is another than the shipping address."""
    billing, shipping = draft.billing_address, draft.shipping_address
    return None if billing is None or texts_of(billing) == texts_of(shipping) else billing


def texts_of(address: PostalAddress | None) -> Mapping[str, str | None]:
    """What the form holds of an address."""
    return {name: getattr(address, name, None) for name in (*ADDRESS_FIELDS, COUNTRY)}


def names_of(prefix: str) -> Sequence[str]:
    """The names of an address's fields."""
    return [f"{prefix}{name}" for name in (*ADDRESS_FIELDS, COUNTRY)]


def given_address(form: forms.Form, prefix: str) -> Address | None:
    """The address of the valid form; None if nothing but a country is entered."""
    texts = {name: form.cleaned_data[f"{prefix}{name}"] or None for name in (*ADDRESS_FIELDS, COUNTRY)}
    return cast("Address", texts) if any(texts[name] for name in ADDRESS_FIELDS) else None


def default_address(customer: Customer | None) -> Address | None:
    """That of the customer's address book, by its id."""
    own = CustomerAddress.objects.not_deleted().filter(customer=customer, is_default_shipping=True)
    found = own.values_list("pk", flat=True).first() if customer else None
    return None if found is None else {"id": found}


def add_codes_field(form: forms.Form, draft: Cart | None) -> None:
    """The promotion codes, with commas between them."""
    own = CartPromotion.objects.filter(cart=draft, promotion__is_automatic=False).select_related("promotion")
    codes = [link.entered or link.promotion.code for link in own.order_by("pk")] if draft else []
    form.fields[CODES] = forms.CharField(
        label="Promotion codes",
        required=False,
        max_length=3000,
        initial=", ".join(codes),
        widget=UnfoldAdminTextInputWidget,
        help_text="Several with commas between them.",
    )
