"""The lives of payments at Stripe, each as a shopper, Stripe and the dashboard live it."""

from collections.abc import Callable

from tests.payments.stripe.fake import Fake

Life = Callable[[Fake, str], None]


def taken(fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id)
    fake.by_hand("capture", intent_id=intent_id, form={})


def taken_at_last(fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id, "pm_card_declined")
    fake.pay(intent_id, "pm_card_3ds")
    taken(fake, intent_id)


def taken_and_given_back_in_parts(fake: Fake, intent_id: str) -> None:
    taken(fake, intent_id)
    fake.by_hand("refund", form={"payment_intent": intent_id, "amount": 1000})
    fake.by_hand("refund", form={"payment_intent": intent_id, "amount": 4000})


def taken_in_part_and_given_back_in_part(fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id, "pm_bank")
    fake.pay(intent_id)
    fake.by_hand("capture", intent_id=intent_id, form={"amount_to_capture": 3000})
    fake.by_hand("refund", form={"payment_intent": intent_id, "amount": 700})


def abandoned(fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id, "pm_card_3ds")
    fake.pay(intent_id)
    fake.by_hand("cancel", intent_id=intent_id, form={})


def never_paid(fake: Fake, intent_id: str) -> None:
    fake.pay(intent_id, "pm_card_declined")
    fake.pay(intent_id, "pm_card_poor")
    fake.by_hand("cancel", intent_id=intent_id, form={})
