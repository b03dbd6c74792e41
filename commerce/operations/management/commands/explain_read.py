"""`manage.py explain_read`: how the API reads, statement by statement."""

from argparse import ArgumentParser
from typing import Any

import orjson
from django.core.management.base import CommandError
from django.db.models import Q
from django.test import RequestFactory
from django.urls import Resolver404, resolve

from apikeys.models import ApiKey
from apikeys.states import KeyType
from auth.account_types.actors import accounts_of
from auth.tokens.tokens import issue
from commerce.operations.explaining.explanations import explanation, lines_of_list, table
from commerce.operations.explaining.places import constant, declared
from commerce.operations.explaining.recording import WouldWrite, recorded
from kit.commands.operator_command import OperatorCommand
from kit.rest.reads import List, ReadEndpoint
from kit.rest.viewsets import AdminEndpoint, StoreEndpoint
from staff.models import User


class Command(OperatorCommand):
    """Sends the request to its route, which checks and answers it as always, and records the statements."""

    help = (
        "Explain how a GET request is read: its SQL statements in the order in which they run, and for each one the "
        "serializer fields that made its columns, the rule for visible rows, the filters and the order, with their "
        "files and lines. It changes nothing in the database. GraphQL fields are read in the same way."
    )
    examples = (
        'explain_read "/store/products?fields=title,variants.sku&q=tea"',
        'explain_read "/admin/orders?limit=5" --staff ann@shop.example',
    )
    interruption = "nothing was changed"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", metavar="PATH", help="the path of a route with its query, without a host")
        parser.add_argument(
            "--key", metavar="TITLE", help="title, id or token of a publishable key; by default the only one"
        )
        who = parser.add_mutually_exclusive_group()
        who.add_argument("--customer", metavar="EMAIL", help="ask as this customer")
        who.add_argument(
            "--staff", metavar="EMAIL", help="ask as this staff user; by default /admin is asked as a superuser"
        )

    def handle(
        self, *, address: str, key: str | None, customer: str | None, staff: str | None, **options: object
    ) -> None:
        if not address.startswith("/") or address.startswith("//"):
            raise CommandError('Give the path of a route, without a host, such as "/store/products?limit=2".')
        request: Any = RequestFactory().get(address)
        try:
            view, path_arguments, path_names = resolve(request.path_info)
        except Resolver404:
            raise CommandError(f"There is no route {request.path_info}.") from None
        endpoint, action = _reading(view, request.path_info)
        request.META |= _credentials(endpoint, key=key, customer=customer, staff=staff)
        try:
            with recorded() as statements:
                response = view(request, *path_arguments, **path_names)
        except WouldWrite as error:
            raise CommandError(f"The route writes, so this command cannot ask it: {error}") from error
        if response.status_code == 401:
            raise CommandError("The route asks who is there: name a --customer or --staff.")
        if response.status_code != 200:
            raise CommandError(f"The route answers {response.status_code}: {orjson.loads(response.content)['message']}")
        resource, of_list = endpoint.answered(action), []
        if action == "list" and issubclass(endpoint, List):
            of_list = lines_of_list(endpoint, request.META["QUERY_STRING"])
        self.stdout.write(table([("endpoint", *declared(endpoint)), ("resource", *constant(resource))]))
        for number, ran in enumerate(statements, 1):
            self.stdout.write(f"\n{number}. {explanation(ran, of_list)}")
        self.stdout.write(f"\n{len(statements)} statements. Nothing was changed.")


def _reading(view: Any, path: str) -> tuple[type[ReadEndpoint], str]:
    """The class of the route, and its action for GET."""
    endpoint, actions = getattr(view, "cls", None), getattr(view, "actions", {})
    if actions and "get" not in actions:
        methods = ", ".join(map(str.upper, actions))
        raise CommandError(f"{path} takes {methods}, and this command explains GET.")
    if endpoint is None or not issubclass(endpoint, ReadEndpoint):
        raise CommandError(f"{path} reads no resource of the API.")
    return endpoint, actions["get"]


def _credentials(
    endpoint: type[ReadEndpoint], *, key: str | None, customer: str | None, staff: str | None
) -> dict[str, str]:
    """The headers of the request, as WSGI names them. A token is signed, not stored."""
    headers = {}
    if issubclass(endpoint, StoreEndpoint):
        headers["HTTP_X_PUBLISHABLE_API_KEY"] = _publishable_key(key)
    if customer or staff or issubclass(endpoint, AdminEndpoint):
        superusers = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
        email = customer or staff or superusers.values_list("email", flat=True).first() or "a superuser"
        account = accounts_of("customer" if customer else "user").find_by_email(email.lower())
        if account is None:
            raise CommandError(f"Nobody can sign in as {email}: name another --customer or --staff.")
        headers["HTTP_AUTHORIZATION"] = f"Bearer {issue(account)}"
    return headers


def _publishable_key(named: str | None) -> str:
    """The token of the key with that title, id or token; without one, of the only key."""
    keys = ApiKey.objects.active().filter(type=KeyType.PUBLISHABLE).order_by("pk")
    chosen = list(keys if named is None else keys.filter(Q(title=named) | Q(pk=named) | Q(token=named)))
    if len(chosen) != 1:
        titles = ", ".join(f"{key.title} ({key.pk})" for key in keys)
        raise CommandError(f"Name one publishable key with --key: {titles or 'create_api_key creates the first one'}.")
    return str(chosen[0].token)
