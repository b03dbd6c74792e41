"""Erasing a customer and their logins."""

from django.db.models import Q
from django.db.models.functions import Coalesce

from auth.models import AuthIdentity, PasswordReset
from customers.models import Customer, CustomerAddress
from kit.editing.reporting import Change, report
from kit.safety.throttling.counters import reset
from kit.values.timestamps import now
from orders.erasure.people import Person


def erase_account(person: Person) -> list[str]:
    """Erase the locked customers, with addresses, groups and logins; returns the actors of their stored responses.

    Tokens and sessions end immediately, and the email address can register again. The rows remain, for the ledger.
    """
    moment = now()
    own = Q(customer_id__in=person.customer_ids) | Q(customer_id=None, email=person.email or "")
    identities = AuthIdentity.objects.filter(own)
    actors = [f"customer:{identity_id}" for identity_id in identities.values_list("pk", flat=True)]
    identities.delete()
    CustomerAddress.objects.filter(customer__in=person.customer_ids).delete()
    Customer.groups.through.objects.filter(customer__in=person.customer_ids).delete()
    Customer.objects.filter(pk__in=person.customer_ids).update(
        email=None,
        has_account=False,
        is_tax_exempt=False,
        **dict.fromkeys(("company_name", "first_name", "last_name", "phone", "note", "metadata")),
        **dict.fromkeys(("tax_number", "tax_exempt_countries", "tax_exempt_until")),
        deleted_at=Coalesce("deleted_at", moment),
        erased_at=Coalesce("erased_at", moment),
        updated_at=moment,
    )
    report(Customer, Change.DELETED, Customer.objects.filter(pk__in=person.customer_ids).only("pk"))
    return actors


def delete_password_resets(email: str) -> list[str]:
    """Delete requests for a new password, and the throttle counters of the address; returns the requests' ids.

    Does nothing while an account uses the email address.
    """
    if AuthIdentity.objects.filter(email=email).exists():
        return []
    requests = PasswordReset.objects.filter(actor_type="customer", email=email)
    request_ids = list(requests.values_list("pk", flat=True))
    requests.delete()
    for throttle in ("reset", "registration"):
        reset(throttle=throttle, subject=f"customer:{email}")
    return request_ids
