"""Every command of ours shows examples in its --help, and they work as printed."""

import builtins
import gc
import shlex
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands, load_command_class

from kit.commands.operator_command import PROGRAM, OperatorCommand
from orders.models import Order
from tests.factories.customers import CustomerFactory
from tests.factories.inventory import InventoryLevelFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory
from tests.orders.placed import placed
from tests.packages import PACKAGES, ROOT

pytestmark = pytest.mark.once
OURS = {name: app for name, app in sorted(get_commands().items()) if app.partition(".")[0] in PACKAGES}
RUN_ELSEWHERE = {"serve", "demo", "work", "work_jobs", "send_mails", "deliver_webhooks", "backup", "restore"}
"""They run until they are stopped, or need a place of their own: other tests run them with such words."""

RUN_HERE = [name for name in OURS if name not in RUN_ELSEWHERE]


def command(name: str) -> OperatorCommand:
    loaded = load_command_class(OURS[name], name)
    assert isinstance(loaded, OperatorCommand), f"{name} does not inherit from OperatorCommand"
    return loaded


@pytest.mark.parametrize("name", OURS)
def test_help_ends_with_examples_that_the_command_accepts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = command(name)
    assert 1 <= len(one.examples) <= 2
    one.print_help("manage.py", name)
    printed = capsys.readouterr().out
    assert printed.endswith("".join(f"\n  {PROGRAM} {example}" for example in one.examples) + "\n")
    for example in one.examples:
        first, *words = shlex.split(example)
        assert first == name
        one.create_parser("manage.py", name).parse_args(words)


def test_garbage_collections_of_a_command_are_rare_and_leave_out_what_it_has_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"))
    monkeypatch.setattr(gc, "set_threshold", lambda objects: calls.append(f"after {objects}"))
    with pytest.raises(SystemExit):
        command("prune").run_from_argv(["manage.py", "prune", "--version"])
    assert calls == ["freeze", "after 20000"]


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the examples name, in a folder like the checkout."""
    (tmp_path / "commerce").symlink_to(ROOT / "commerce")
    monkeypatch.chdir(tmp_path)
    RegionFactory()
    RegionFactory(currency_id="eur")
    UserFactory(email="ann@shop.example", permissions=["orders.view_order"])
    CustomerFactory(email="ann@example.com")
    CustomerFactory(id="cus_01JH3V9S5ZK8Q4W2N7R6T1YXAB", email="pia@example.com")
    order = placed(email="guest@example.com")
    Order.objects.filter(pk=order.pk).update(status="completed")
    monkeypatch.setattr(builtins, "input", lambda question: question.split()[5])  # This cannot be undone. Type NAME …
    for words in ("create_api_key 'Web shop' --type publishable", "webhooks add https://erp.example/hooks"):
        call_command(*shlex.split(words))
    call_command("dump_shop", "shop.json.gz")
    InventoryLevelFactory(stocked_quantity=5)
    monkeypatch.setattr(settings, "EXPORT_DIR", str(tmp_path / "exports"))
    for table in ("products", "stock"):
        call_command("export_spreadsheet", table, f"{table}.csv")


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "example"), [(name, words) for name in RUN_HERE for words in command(name).examples])
def test_an_example_works(shop: None, name: str, example: str) -> None:
    if example.startswith("webhooks add"):
        call_command("webhooks", "delete", "https://erp.example/hooks")
    call_command(*shlex.split(example))
