"""How a customer signs in; staff keep theirs in the user itself."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from commerce.core.base_model import BaseModel
from commerce.core.ids import IdField
from commerce.staff.models import new_stamp


class AuthIdentity(BaseModel):
    """An e-mail and its password. `customer_id` names a row of a higher app, null until a registration is finished."""

    id = IdField(prefix="authid")
    email = models.EmailField(unique=True)
    password = models.CharField(max_length=128)
    customer_id = models.CharField(max_length=64, null=True, blank=True, unique=True)
    stamp = models.CharField(max_length=22, default=new_stamp, editable=False)

    class Meta:
        verbose_name_plural = "auth identities"
        constraints = [
            models.CheckConstraint(condition=Q(email=Lower("email")), name="auth_identity_email_lower"),
        ]

    def __str__(self) -> str:
        return self.email
