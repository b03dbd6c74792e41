"""A payment provider that does not answer before a file is there."""

import os
import time
from pathlib import Path

from payments.providers.base import Charge, ProviderReport
from payments.providers.system import SystemProvider

HANGING = "pp_hanging_hanging"
GATE = "HANGING_PROVIDER_GATE"
"""The environment's name for the file."""


class HangingProvider(SystemProvider):
    """Starts nothing before the gate is open."""

    def start(self, charge: Charge, *, key: str) -> ProviderReport:
        gate = Path(os.environ[GATE])
        while not gate.exists():
            time.sleep(0.02)
        return super().start(charge, key=key)
