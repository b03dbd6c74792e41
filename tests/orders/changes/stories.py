"""Orders that are edited, paid and refunded, and what each step leaves: the cases of the paper that need several steps.

A line is a step, and behind the arrow total, pending difference and payment status, or the beginning of its refusal;
then what else is true (telling.py has the steps, facts.py the facts). A step is done over HTTP unless it
moves goods.
"""

from dataclasses import dataclass

from tests.orders.changes.cases import B10, A, B, C, F, Placed, mugs


@dataclass(frozen=True)
class Story:
    """card: of a new gift card that pays so much. credit: what the customer's account has once the order is placed."""

    placed: Placed
    steps: str
    card: str | None = None
    credit: str | None = None


STORIES = {
    "2": Story(A, """
        capture -> 60.00 0.00 captured
        edit mug 1 -> 48.00 -12.00 captured asked= reserved=mug:1,tee:1
        refund 12.00 -> 48.00 0.00 partially_refunded allowance=0.00 back=12.00+0.00
    """),
    "3": Story(A, """
        edit mug 1 -> 48.00 48.00 authorized held=60.00
        refund 1.00 -> Value for field 'amount' too big
        capture -> 48.00 0.00 captured taken=48.00 held=0.00
    """),
    "5": Story(B, """
        capture -> 70.59 0.00 captured
        edit bag 2 -> 58.69 -11.90 captured line=23.80/20.00/3.80 reserved=bag:2,box:1 asked=
    """),
    "6": Story(B10, """
        capture -> 64.02 0.00 captured
        edit bag 1 -> 42.60 -21.42 captured line=10.71/10.00/1.71 off=1.19,3.00 reserved=bag:1,box:1
    """),
    "7 kept": Story(B10, """
        capture -> 64.02 0.00 captured
        edit add 2 pin at 5.95 -> 75.92 11.90 partially_captured off=3.57,3.00,0.00 asked=11.90:not_paid
    """),
    "7 carried": Story(B10, """
        capture -> 64.02 0.00 captured
        edit carried add 2 pin at 5.95 -> 74.73 10.71 partially_captured off=3.57,3.00,1.19 asked=10.71:not_paid
    """),
    "8 kept": Story(F, """
        capture -> 80.00 0.00 captured off=3.33,6.67
        edit pen 0 -> 53.33 -26.67 captured off=6.67 reserved=pad:1,pen:0
    """),
    "8 carried": Story(F, """
        capture -> 80.00 0.00 captured
        edit carried pen 0 -> 50.00 -30.00 captured off=10.00
    """),
    "9 kept": Story(F, """
        capture -> 80.00 0.00 captured
        edit add 1 ink at 30.00 -> 110.00 30.00 partially_captured off=3.33,6.67,0.00
    """),
    "9 carried": Story(F, """
        capture -> 80.00 0.00 captured
        edit carried add 1 ink at 30.00 -> 110.00 30.00 partially_captured off=2.50,5.00,2.50
    """),
    "10 each": Story(C, """
        capture -> 38.40 0.00 captured
        edit mug 4 -> 49.20 10.80 partially_captured off=4.00 reserved=mug:4
    """),
    "10 kept": Story(F, """
        capture -> 80.00 0.00 captured
        edit pen 2 -> 110.00 30.00 partially_captured off=3.33,6.67 reserved=pad:1,pen:2
    """),
    "10 carried": Story(F, """
        capture -> 80.00 0.00 captured
        edit carried pen 2 -> 110.00 30.00 partially_captured off=5.00,5.00
    """),
    "13": Story(A, """
        capture -> 60.00 0.00 captured
        deliver mug 2, tee 1 -> 60.00 0.00 captured
        edit tee 0 -> Quantity of item
        edit mug 2 -> The change has no actions to confirm
    """),
    "14": Story(C, """
        capture -> 38.40 0.00 captured
        deliver mug 3 -> 38.40 0.00 captured
        return mug 1 -> 38.40 0.00 captured
        receive mug 1 -> 27.60 -10.80 captured
        refund 10.80 -> 27.60 0.00 partially_refunded allowance=0.00
        edit add 1 scarf at 15.00 -> 45.60 18.00 partially_refunded asked=18.00:not_paid
    """),
    "15": Story(C, """
        capture -> 38.40 0.00 captured
        deliver mug 3 -> 38.40 0.00 captured
        return mug 1 -> 38.40 0.00 captured
        receive mug 1 -> 27.60 -10.80 captured
        edit mug 2 -> Quantity of item
        edit carried add 1 scarf at 15.00 -> carry_over_promotions is not possible
        edit mug 3 at 9.00 -> The unit_price of item
    """),
    "16": Story(A, """
        capture -> 60.00 0.00 captured
        refund 5.00 -> 60.00 0.00 partially_refunded allowance=5.00
        edit mug 1 -> 48.00 -12.00 partially_refunded allowance=5.00
    """),
    "17": Story(A, """
        capture 20.00 -> 60.00 40.00 partially_captured
        edit tee 0 -> 30.00 10.00 partially_captured held=40.00 asked=
        capture -> 30.00 0.00 captured taken=30.00 held=0.00
    """),
    "18": Story(A, """
        capture 40.00 -> 60.00 20.00 partially_captured
        edit tee 0 -> 30.00 -10.00 captured taken=40.00 held=0.00
        refund 10.00 -> 30.00 0.00 partially_refunded allowance=0.00 back=10.00+0.00
    """),
    "19": Story(A, """
        edit add 1 scarf at 15.00 -> 78.00 78.00 partially_authorized held=60.00 asked=18.00:not_paid
        link -> 78.00 78.00 authorized held=78.00 asked=18.00:authorized
        capture -> 78.00 18.00 partially_captured taken=60.00
        capture -> 78.00 0.00 captured taken=78.00
    """),
    "20": Story(A, """
        edit mug 1 -> 0.00 -12.00 captured asked=
        refund 12.00 -> 0.00 0.00 captured back=0.00+12.00 card=12.00
    """, card="60.00"),
    "21": Story(A, """
        capture -> 10.00 0.00 captured
        edit tee 0 -> 0.00 -30.00 captured
        refund 30.00 -> 0.00 0.00 refunded back=10.00+20.00 card=20.00
    """, card="50.00"),
    "22": Story(A, """
        capture -> 60.00 0.00 captured sales=60.00
        edit add 1 scarf at 15.00 -> 78.00 18.00 partially_captured asked=18.00:not_paid
        credit 18.00 -> 60.00 0.00 captured account=7.00 asked= sales=60.00
    """, credit="25.00"),
    "23": Story(A, """
        capture -> 60.00 0.00 captured
        edit add 1 scarf at 15.00 -> 78.00 18.00 partially_captured
        credit 10.00 -> 68.00 8.00 partially_captured account=0.00 asked=8.00:not_paid sales=60.00
    """, credit="10.00"),
    "24": Story(A, """
        capture -> 60.00 0.00 captured
        edit add 1 scarf at 15.00 -> 78.00 18.00 partially_captured
        mark as paid -> 78.00 0.00 captured asked=18.00:completed
        edit scarf 0 -> 60.00 -18.00 captured reserved=mug:2,scarf:0,tee:1
        refund 18.00 -> 60.00 0.00 partially_refunded by_payment=0.00,18.00 allowance=0.00
    """),
    "24 by link": Story(A, """
        capture -> 60.00 0.00 captured
        edit add 1 scarf at 15.00 -> 78.00 18.00 partially_captured
        link -> 78.00 18.00 partially_captured held=18.00 asked=18.00:authorized
        capture -> 78.00 0.00 captured
        edit scarf 0 -> 60.00 -18.00 captured
        refund 18.00 -> 60.00 0.00 partially_refunded by_payment=0.00,18.00
    """),
    "25": Story(A, """
        capture -> 60.00 0.00 captured
        edit add 1 scarf at 15.00 -> 78.00 18.00 partially_captured
        session -> 78.00 18.00 partially_captured asked=18.00:awaiting sessions=pending
        edit mug 1 -> 66.00 6.00 partially_captured asked=6.00:awaiting sessions=canceled,pending
        edit add 1 sock at 5.00, scarf 0 -> 54.00 -6.00 captured asked= sessions=canceled,canceled
    """),
    "26": Story(A, """
        capture -> 60.00 0.00 captured
        deliver mug 2, tee 1 -> 60.00 0.00 captured
        begin add 1 scarf at 15.00 -> 60.00 0.00 captured
        return mug 1 -> 60.00 0.00 captured
        confirm with the version of the beginning -> The order
        confirm -> 78.00 18.00 partially_captured asked=18.00:not_paid
        receive mug 1 -> 66.00 6.00 partially_captured asked=6.00:not_paid
    """),
    "30": Story(A, """
        capture -> 60.00 0.00 captured
        begin add 1 scarf at 15.00 -> 60.00 0.00 captured
        cancel -> 60.00 0.00 refunded back=60.00+0.00 reserved=mug:0,tee:0
        confirm -> Order
        edit mug 1 -> Order
    """),
    "a budget is released once": Story(mugs("30.00", "10.00", "buy 3 get 1"), """
        capture -> 30.00 0.00 captured uses=1:10.00
        edit mug 2 -> 15.00 -15.00 captured off=5.00 uses=1:10.00
        edit mug 8 -> 75.00 45.00 partially_captured off=5.00 uses=1:10.00
        edit carried mug 2 -> 20.00 -10.00 captured off=0.00 uses=1:10.00
        cancel -> 20.00 0.00 refunded uses=0:0.00
    """),
    "raised after a refund of all": Story(A, """
        capture -> 60.00 0.00 captured
        edit tee 0 -> 30.00 -30.00 captured
        refund 30.00 -> 30.00 0.00 partially_refunded
        edit mug 3 -> 42.00 12.00 partially_refunded asked=12.00:not_paid
        mark as paid -> 42.00 0.00 partially_refunded asked=12.00:completed
        edit mug 4 -> 54.00 12.00 partially_refunded asked=12.00:completed,12.00:not_paid
        delete the collection -> 54.00 12.00 partially_refunded asked=12.00:completed
    """),
    "an announced payment stays": Story(A, """
        edit mug 1 -> 48.00 48.00 authorized held=60.00
        edit mug 3 -> 72.00 72.00 partially_authorized asked=12.00:not_paid
        link -> 72.00 72.00 authorized held=72.00
        edit mug 1 -> 48.00 48.00 authorized held=72.00 asked=12.00:authorized
        capture -> 48.00 0.00 captured taken=48.00 held=0.00
    """),
}  # fmt: skip
