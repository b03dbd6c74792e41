"""Triggers that enforce the rules of stock for every client of the database.

1. A level's reserved_quantity is the sum of its reservations that are not deleted: a reservation that is made, changed
   or ended changes it, and nothing else does.
2. A level's stocked_quantity is the stocked_after of its newest movement. Only a new movement changes it, and it must
   begin with the current stock.
3. A movement is never changed and never removed.
4. A level keeps its item and location, begins without stock, and cannot be removed while it has reservations.

A migration that changes one of these tables starts with `remove` and ends with `install` (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from catalog.stock.stock_triggers import postgresql, sqlite
from kit.database.triggers import TriggerSet

TRIGGERS = {"postgresql": postgresql.TRIGGERS, "sqlite": sqlite.TRIGGERS}


_SET = TriggerSet(lambda vendor, _: TRIGGERS[vendor], functions=postgresql.FUNCTIONS)
install, remove, missing = _SET.install, _SET.remove, _SET.missing
