"""Strings that are stored or shared between processes: salts, keys, names of locks, paths of tasks.

Their values must never change, whatever becomes of the modules that use them, so this test has them as literals. With
another value, stored digests and encrypted texts could no longer be found or read: owners would be locked out by
strangers' guesses, links in emails that were already sent would fail, and so would deliveries of webhooks. A form that
was submitted before an upgrade and again after it would take effect twice. And while the old and the new version run at
the same time, each would take its own lock for the same rows.
"""

import re
from importlib import import_module

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.utils.module_loading import import_string
from django_tasks.base import Task

from auth.sessions import session_copies
from auth.signing_in import known_networks
from catalog.admin.grid import bulk_grid
from catalog.admin.products import product_actions
from catalog.categories import category_tree
from catalog.prices.lowest_prices import recomputing as lowest_prices
from catalog.search import postgresql
from catalog.stock.lowest_stock import recomputing as lowest_stock
from commerce.operations.backups import secrets
from giftcards.admin import batches
from kit.jobs import turns
from kit.messages.mails import address_limit, tokens
from kit.messages.webhooks.endpoints import signing_secrets
from kit.safety.idempotency import mentions, sealing
from kit.safety.throttling import windows
from kit.search.engines import SearchEngine
from kit.values.json import JSONObject
from kit.values.money import rounded
from orders.admin.forms import submission
from orders.completion import resuming
from orders.fulfillments import requests
from orders.invoices.printing import rendering
from payments.admin import movement_forms
from payments.requests import intents
from pictures import processing
from staff import invitations, webhook_mails
from tests.packages import ROOT, sources

pytestmark = pytest.mark.once


def test_what_was_stored_under_a_digest_is_still_found() -> None:
    assert known_networks.ADDRESS_DIGESTS == "commerce.auth.known_networks"
    assert mentions.MENTION_DIGESTS == "commerce.idempotency.mentions"
    assert address_limit.RECIPIENT_DIGESTS == "commerce.mails"
    assert windows.SUBJECT_DIGESTS == "commerce.throttling"
    assert secrets.BACKUP_DIGESTS == "commerce.backup"
    assert batches.REFERENCE_DIGESTS == "giftcards.admin.batches"


def test_what_was_sealed_or_signed_is_still_read() -> None:
    assert tokens.TOKEN_PURPOSE == b"commerce.mails.token"
    assert sealing.RESPONSE_SALT == b"commerce.idempotency"
    assert (signing_secrets.SECRET_SALT, signing_secrets._INFO) == (b"commerce.webhooks", b"signing secret")
    assert session_copies.SESSION_COPIES == "commerce.auth.session_copies"
    assert SessionStore().key_salt == "django.contrib.sessions.SessionStore"


def test_a_form_that_was_submitted_takes_effect_no_second_time() -> None:
    assert bulk_grid.FORM_KEYS == "catalog.admin.bulk_grid"
    assert product_actions.FORM_KEYS == "catalog.admin.duplicate"
    assert movement_forms.FORM_KEYS == "payments.admin.movement_forms"
    assert submission.FORM_KEYS == "orders.admin"


def test_old_and_new_processes_take_the_same_locks() -> None:
    assert category_tree.LOCK == "catalog.category_tree"
    assert lowest_prices.LOCK == "catalog.lowest_prices"
    assert lowest_stock.LOCK == "catalog.lowest_stock"


def test_every_lock_is_among_these() -> None:
    """As they are written; `KIND` and `LOCK` are constants, most of which are tested elsewhere in this file."""
    calls = [re.findall(r"\block_named\((.+?)\)(?:  #.*)?$", path.read_text(), re.MULTILINE) for path in sources()]
    assert sorted(call for found in calls for call in found if call != "name: str") == [
        '"roles"',
        '"webhook addresses"',
        '"webhook fan-out"',
        "KIND",
        "LOCK",
        'f"adjustment {adjustment_id}"',
        'f"gift cards {form_id}"',
        'f"history of {intent.pk}"',
        'f"mails {digests[0]}"',
        'f"{KIND} {address}"',
        "self.lock",
    ]
    assert (invitations.KIND, webhook_mails.KIND) == ("invitation", "webhook_switched_off")


def test_triggers_of_either_version_see_the_setting_that_pauses_them() -> None:
    assert postgresql.PAUSE == "SELECT set_config('catalog.search_is_paused', 'yes', true)"
    assert postgresql.RESUME == "SELECT set_config('catalog.search_is_paused', '', true)"
    asking = [text for text in postgresql.FUNCTIONS if "current_setting('catalog.search_is_paused', true)" in text]
    assert len(asking) == 2


TASKS = [
    (turns.take_turn, "commerce.kit.jobs.turns.take_turn"),
    (processing.convert, "commerce.pictures.processing.convert"),
    (resuming.complete_paid_cart, "orders.completion.resuming.complete_paid_cart"),
    (resuming.complete_slowly, "orders.completion.resuming.complete_slowly"),
    (requests.send, "orders.fulfillments.requests.send"),
    (rendering.render, "orders.invoices.printing.rendering.render"),
    (intents.resume, "payments.intents.resume"),
    (intents.resume_slowly, "payments.intents.resume_slowly"),
]


@pytest.mark.parametrize(("task", "path"), TASKS)
def test_tasks_wait_under_paths_that_either_version_can_import(task: Task[..., object], path: str) -> None:
    """The table of tasks and Redis keep them. A release may write new paths once the one before it can import them."""
    assert task.module_path == path
    assert import_string(path) is task


def test_every_task_is_among_them() -> None:
    texts = {path: path.read_text() for path in sources()}
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in texts if "import task\n" in texts[path]]
    tasks = {each for name in names for each in vars(import_module(name)).values() if isinstance(each, Task)}
    assert {task.module_path for task in tasks} == {path for _, path in TASKS}


def test_what_shops_import_has_its_old_import_path_for_one_release() -> None:
    assert import_string("commerce.kit.core.search.engines.SearchEngine") is SearchEngine
    assert import_string("commerce.kit.core.json.JSONObject") is JSONObject
    assert import_string("commerce.kit.core.money.rounded") is rounded
