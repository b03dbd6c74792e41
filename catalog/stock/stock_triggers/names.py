"""The tables whose stock the triggers guard, and what the triggers answer."""

LEVELS = "catalog_inventorylevel"
MOVEMENTS = "catalog_stockmovement"
RESERVATIONS = "catalog_reservation"

LEVEL_BEGINS_EMPTY = "A stock level begins without stock and without reservations"
LEVEL_STAYS = "A stock level keeps its item and its location"
LEVEL_REMAINS = "A stock level with reservations cannot be removed"
MOVEMENT_CONTINUES = "A stock movement begins with the stock of its level"
MOVEMENT_STAYS = "A stock movement is neither changed nor removed"
RESERVATION_HAS_LEVEL = "A reservation is of an item that its location stocks"
RESERVED_FOLLOWS = "The reserved quantity follows from the reservations alone"
STOCK_FOLLOWS = "The stocked quantity follows from the stock movements alone"
