"""Bulk actions of the admin site as jobs: kind `bulk_action`."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest

from kit.admin.actions.verb_actions import Outcome, perform_on
from kit.errors import Forbidden
from kit.jobs.kinds import Piece
from kit.jobs.models import Job


def pieces(job: Job, keys: Sequence[str]) -> Mapping[str, Piece]:
    """The calls of the job's verb for these rows, except those that its actor may no longer see. Raises Forbidden."""
    given = job.parameters
    screen = admin.site.get_model_admin(apps.get_model(given["model"]))
    request = checked_request(job, screen)
    verb = getattr(screen, given["verb"])
    outcome = Outcome(given["participle"], given["flag"], given["reason"])
    rows = screen.get_queryset(request).filter(pk__in=keys)
    return {str(row.pk): Piece(str(row), partial(perform_on, request, row, verb, outcome)) for row in rows}


def checked_request(job: Job, screen: Any) -> HttpRequest:
    """A request for the screen's methods, whose user is the job's actor with their present permissions.

    Raises Forbidden where the actor's account is no longer active, or may not open the screen.
    """
    request = HttpRequest()
    request.method = "POST"
    request.user = get_user_model().objects.get(pk=job.actor_id)
    if not request.user.is_active:
        raise Forbidden(f"The account of {request.user} is no longer active")
    if not screen.has_view_permission(request):
        raise Forbidden(f"{request.user} may no longer view these rows")
    return request
