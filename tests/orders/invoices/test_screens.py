"""Documents on the admin site: their list, the page of one, the page of their order, and its forms."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.test import Client
from pytest_django import Settings

from kit.values.timestamps import now
from orders.invoices.printing.files import keep
from orders.models import Invoice, Order
from orders.states import InvoiceKind
from tests.factories.invoices import document
from tests.factories.staff import UserFactory
from tests.kit.admin.visits import page, superuser, visitor
from tests.kit.admin.forms import sent
from tests.orders.admin.forms.desk import desk
from tests.orders.invoices.shop import documents, invoiced, sells
from tests.orders.placed import placed

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/orders/invoice/"
