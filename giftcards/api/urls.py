"""The routes of gift cards and store credit below /store and /admin."""

from django.urls import path

from giftcards.api.viewsets.admin import AdminGiftCards, AdminStoreCreditAccounts, StoreCreditTransactions
from giftcards.api.viewsets.store import CartGiftCards, CartStoreCredits, GiftCards, Redemptions, StoreCreditAccounts

store = [
    path("gift-cards/<str:id_or_code>", GiftCards.as_view({"get": "retrieve"})),
    path("gift-cards/<str:id_or_code>/redeem", Redemptions.as_view({"post": "redeem"})),
    path("store-credit-accounts", StoreCreditAccounts.as_view({"get": "list"})),
    path("store-credit-accounts/<str:id>", StoreCreditAccounts.as_view({"get": "retrieve"})),
    path("carts/<str:id>/gift-cards", CartGiftCards.as_view({"post": "add", "delete": "remove"})),
    path("carts/<str:id>/store-credits", CartStoreCredits.as_view({"post": "add", "delete": "remove"})),
]
admin = [
    path("gift-cards", AdminGiftCards.as_view({"get": "list", "post": "create"})),
    path("gift-cards/<str:id>", AdminGiftCards.as_view({"get": "retrieve", "post": "update"})),
    path("store-credit-accounts", AdminStoreCreditAccounts.as_view({"get": "list", "post": "create"})),
    path("store-credit-accounts/<str:id>", AdminStoreCreditAccounts.as_view({"get": "retrieve"})),
    path("store-credit-accounts/<str:id>/credit", AdminStoreCreditAccounts.as_view({"post": "credit"})),
    path("store-credit-accounts/<str:id>/debit", AdminStoreCreditAccounts.as_view({"post": "debit"})),
    path("store-credit-accounts/<str:id>/transactions", StoreCreditTransactions.as_view({"get": "list"})),
]
