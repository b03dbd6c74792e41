"""What names a person in requests and answers: ids of what is theirs, and e-mail addresses."""

import re

NAMES = re.compile(
    rb"\b(?:cus|cart|order|return|ful|pay|pay_col|payses|gcard|sc_acc)_[0-9A-HJKMNP-TV-Z]{26}\b"
    rb"|[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+"
)
"""Ids of the kinds that routes take, and e-mail addresses."""
