from django.apps import AppConfig


class GiftCardsConfig(AppConfig):
    name = "giftcards"
