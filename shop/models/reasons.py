"""The columns of reasons that staff choose from."""

from django.db import models

from kit.domain.base_model import BaseModel

LONGEST_DESCRIPTION = 1_000
"""In characters, of one that a program writes."""


class ReasonColumns(BaseModel):
    """A reason in the shop's own words."""

    label = models.CharField(max_length=255)
    description = models.TextField(null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True
