"""Orders that are exchanged and claimed, and what each step leaves, as in tests/orders/changes/stories.py."""

from tests.orders.changes.cases import A, C
from tests.orders.changes.stories import Story

_A = """
        capture -> 60.00 0.00 captured
        deliver mug 2, tee 1 -> 60.00 0.00 captured
"""
_C = """
        capture -> 38.40 0.00 captured
        deliver mug 3 -> 38.40 0.00 captured
"""
STORIES = {
    "38": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 blue at 10.00 -> 72.00 0.00 captured goods=partially_delivered reserved=blue:1,mug:0,tee:0
        receive mug 1 -> 60.00 0.00 captured stock=blue:10,mug:9,tee:9 units=mug:0/0/1/0 asked=
    """,
    ),
    "39": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 lamp at 25.00 -> 90.00 18.00 partially_captured asked=18.00:not_paid
        pack lamp -> The order is not paid: its payment status is partially_captured
        mark as paid -> 90.00 0.00 captured
        pack lamp -> 90.00 0.00 captured
    """,
    ),
    "40": Story(
        A,
        f"""{_A}
        exchange tee 1, add 1 blue at 10.00 -> 72.00 -18.00 captured asked=
        refund 18.00 -> 72.00 0.00 partially_refunded allowance=0.00
        receive tee 1 -> 42.00 0.00 partially_refunded allowance=0.00
    """,
    ),
    "41 kept": Story(
        C,
        f"""{_C}
        exchange mug 1, add 1 blue at 10.00 -> 50.40 1.20 partially_captured off=3.00,0.00
    """,
    ),
    "41 carried": Story(
        C,
        f"""{_C}
        exchange carried mug 1, add 1 blue at 10.00 -> 49.20 0.00 captured off=3.00,1.00
    """,
    ),
    "42": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 blue at 10.00, back 3.00 -> 75.60 3.60 partially_captured asked=3.60:not_paid
        receive mug 1 -> 63.60 3.60 partially_captured asked=3.60:not_paid
    """,
    ),
    "43": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 lamp at 25.00 -> 90.00 18.00 partially_captured reserved=lamp:1,mug:0,tee:0
        cancel the change -> 60.00 0.00 captured goods=delivered reserved=lamp:0,mug:0,tee:0 asked= returns=canceled
        cancel the change -> The exchange is already canceled
        exchange mug 2, add 1 lamp at 25.00 -> 90.00 6.00 partially_captured
    """,
    ),
    "43 with shipping": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 blue at 10.00, back 3.00, post 4.00 -> 80.40 8.40 partially_captured
        cancel the change -> 60.00 0.00 captured goods=delivered asked= returns=canceled
    """,
    ),
    "44": Story(
        A,
        f"""{_A}
        exchange mug 1, add 1 blue at 10.00 -> 72.00 0.00 captured
        ship blue -> 72.00 0.00 captured
        cancel the return -> 72.00 12.00 partially_captured asked=12.00:not_paid
        cancel the change -> Cannot cancel the exchange: item
    """,
    ),
    "45": Story(
        A,
        f"""{_A}
        claim replace mug 1, add 1 mug -> 60.00 0.00 captured stock=mug:8,tee:9 reserved=mug:0,mug:1,tee:0
    """,
    ),
    "46": Story(
        A,
        f"""{_A}
        claim refund mug 1 -> 48.00 -12.00 captured units=mug:0/0/0/1 returns=received
        refund 12.00 -> 48.00 0.00 partially_refunded allowance=0.00
        cancel the change -> 60.00 12.00 partially_refunded units=mug:0/0/0/0 asked=12.00:not_paid
    """,
    ),
    "47": Story(
        C,
        f"""{_C}
        price mug 14.00 -> 38.40 0.00 captured
        claim replace mug 1, add 1 mug -> 38.40 0.00 captured off=3.00,1.00 last=10.80
        cancel the change -> 38.40 0.00 captured off=3.00
    """,
    ),
    "48": Story(
        A,
        """
        capture -> 60.00 0.00 captured
        empty mug, depot 5 -> 60.00 0.00 captured
        deliver mug 2, tee 1 -> 60.00 0.00 captured
        claim replace mug 1, add 1 mug -> 60.00 0.00 captured depot=5:1
        pack mug -> 60.00 0.00 captured depot=4:0 reserved=mug:0,mug:0,tee:0 stock=mug:4,tee:9
    """,
    ),
    "49": Story(
        A,
        """
        capture -> 60.00 0.00 captured
        deliver mug 1 -> 60.00 0.00 captured
        claim refund mug 2 -> Cannot request to return more items than what was shipped
        claim refund mug 0 -> Value for field 'items.quantity' too small
        return mug 1 -> 60.00 0.00 captured
        claim refund mug 1 -> Cannot request to return more items than what was shipped
    """,
    ),
    "claimed units that come back are returned once": Story(
        A,
        f"""{_A}
        claim replace mug 2, mug 1 back, add 2 mug -> 72.00 0.00 captured units=mug:1/1/0/1 returns=received,requested
        receive mug 1 -> 60.00 0.00 captured units=mug:0/0/1/1 stock=mug:9,tee:9
        cancel the change -> Cannot cancel a return
    """,
    ),
    "a wrong item is claimed and sent back": Story(
        A,
        f"""{_A}
        claim replace mug 1 back, add 1 mug -> 72.00 0.00 captured
        cancel the return -> 72.00 12.00 partially_captured asked=12.00:not_paid
        cancel the change -> 60.00 0.00 captured asked=
    """,
    ),
    "plain and agreed returns of a line": Story(
        C,
        f"""{_C}
        return mug 1 -> 38.40 0.00 captured
        exchange mug 1, add 1 blue at 9.00 -> 49.20 0.00 captured units=mug:2/1/0/0
        receive the agreed 1 -> 38.40 0.00 captured units=mug:1/0/1/0
        receive mug 1 -> 27.60 -10.80 captured units=mug:0/0/2/0
    """,
    ),
    "archived orders are exchanged, canceled ones are not": Story(
        A,
        f"""{_A}
        complete and archive -> 60.00 0.00 captured
        edit mug 3 -> The order is archived
        exchange mug 1, add 1 blue at 10.00 -> 72.00 0.00 captured
    """,
    ),
    "30": Story(
        A,
        """
        capture -> 60.00 0.00 captured
        begin an exchange -> 60.00 0.00 captured
        edit mug 1 -> Order
        confirm -> An active Order Change is required
        cancel -> 60.00 0.00 refunded changes=canceled
        claim refund mug 1 -> Order
    """,
    ),
    "what is missing": Story(
        A,
        f"""{_A}
        exchange mug 1 -> An exchange needs at least one item to return
        exchange add 1 blue at 10.00 -> An exchange needs at least one item to return
        claim replace mug 1 -> A claim of type 'replace' needs
        claim refund mug 1, add 1 mug -> A claim of type 'refund' sends no items
        claim replace add 1 mug -> A claim needs at least one item
        claim refund mug 1, back 3.00 -> Inbound shipping needs
        exchange mug 3, add 1 blue at 10.00 -> Cannot request to return more items than what was delivered
    """,
    ),
}
