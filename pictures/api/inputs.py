"""The bodies of uploads."""

from kit.rest.requests.input_fields import CharField, ChoiceField, IntegerField
from kit.rest.requests.inputs import Input
from pictures.receiving import EXTENSIONS, LARGEST_FILE


class PresignedUrlInput(Input):
    """A file that will be uploaded. Pictures are public: everybody sees them at their `url`."""

    originalname = CharField(allow_blank=False)
    mime_type = ChoiceField(choices=list(EXTENSIONS))
    size = IntegerField(min_value=1, max_value=LARGEST_FILE, help_text="In bytes.")
    access = ChoiceField(choices=["public"], required=False)
