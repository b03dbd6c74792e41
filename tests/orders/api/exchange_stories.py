"""Orders whose goods are exchanged, or claimed about: cases 38 to 49 of the paper, told as tests/orders/changes/stories.py."""

from tests.orders.changes.cases import A, C
from tests.orders.changes.stories import Story

_DELIVERED = """
        capture -> 60.00 0.00 captured
        deliver mug 2, tee 1 -> 60.00 0.00 captured goods=delivered stock=mug:8,tee:9
"""
_DELIVERED_C = """
        capture -> 38.40 0.00 captured
        deliver mug 3 -> 38.40 0.00 captured stock=mug:7
"""
STORIES = {
    "38": Story(A, f"""{_DELIVERED}
        exchange 1 mug for 1 blue at 10.00 -> 72.00 0.00 captured goods=partially_delivered reserved=blue:1,mug:0,tee:0
        receive mug 1 -> 60.00 0.00 captured stock=blue:10,mug:9,tee:9 asked= shown=exchange:confirmed:0:received
    """),
    "39": Story(A, f"""{_DELIVERED}
        exchange 1 mug for 1 lamp at 25.00 -> 90.00 18.00 partially_captured asked=18.00:not_paid
        pack lamp 1 -> The order is not
        mark as paid -> 90.00 0.00 captured asked=18.00:completed
        pack lamp 1 -> 90.00 0.00 captured stock=lamp:9,mug:8,tee:9
    """),
    "40": Story(A, f"""{_DELIVERED}
        exchange 1 tee for 1 blue at 10.00 -> 72.00 -18.00 captured asked= shown=exchange:confirmed:-18:requested
        refund 18.00 -> 72.00 0.00 partially_refunded allowance=0.00
        receive tee 1 -> 42.00 0.00 partially_refunded allowance=0.00
    """),
    "41 kept": Story(C, f"""{_DELIVERED_C}
        exchange 1 mug for 1 blue at 10.00 -> 50.40 1.20 partially_captured off=3.00,0.00
    """),
    "41 carried": Story(C, f"""{_DELIVERED_C}
        exchange carried 1 mug for 1 blue at 10.00 -> 49.20 0.00 captured off=3.00,1.00
    """),
    "42": Story(A, f"""{_DELIVERED}
        exchange 1 mug for 1 blue at 10.00 back for 3.00 -> 75.60 3.60 partially_captured asked=3.60:not_paid
        receive mug 1 -> 63.60 3.60 partially_captured asked=3.60:not_paid
    """),
    "43": Story(A, f"""{_DELIVERED}
        exchange 1 mug for 1 lamp at 25.00 -> 90.00 18.00 partially_captured asked=18.00:not_paid
        cancel the exchange -> 60.00 0.00 captured asked= goods=delivered reserved=lamp:0,mug:0,tee:0
        see it again -> 60.00 0.00 captured shown=exchange:canceled:18:canceled
    """),
    "44": Story(A, f"""{_DELIVERED}
        exchange 1 mug for 1 blue at 10.00 -> 72.00 0.00 captured
        deliver blue 1 -> 72.00 0.00 captured goods=delivered
        cancel the return -> 72.00 12.00 partially_captured asked=12.00:not_paid
        cancel the exchange -> Exchange
    """),
    "45": Story(A, f"""{_DELIVERED}
        claim replace 1 mug for 1 mug -> 60.00 0.00 captured stock=mug:8,tee:9 reserved=mug:1,tee:0 asked=
    """),
    "46": Story(A, f"""{_DELIVERED}
        claim refund 1 mug -> 48.00 -12.00 captured shown=claim:confirmed:refund:1
        refund 12.00 -> 48.00 0.00 partially_refunded allowance=0.00 back=12.00+0.00
    """),
    "47": Story(C, f"""{_DELIVERED_C}
        list mug at 14.00 -> 38.40 0.00 captured
        claim replace 1 mug for 1 mug -> 38.40 0.00 captured added=10.80 asked=
    """),
    "49": Story(A, """
        capture -> 60.00 0.00 captured
        ship mug 1 -> 60.00 0.00 captured
        claim refund 2 mug -> Item
        claim refund 0 mug -> Invalid request: Value for field 'items, 0, quantity'
        claim refund 1 mug -> 48.00 -12.00 captured
        claim refund 1 mug -> Item
    """),
}  # fmt: skip
