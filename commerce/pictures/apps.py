from django.apps import AppConfig


class PicturesConfig(AppConfig):
    name = "commerce.pictures"
    label = "pictures"
