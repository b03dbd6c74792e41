from django.apps import AppConfig


class MailsConfig(AppConfig):
    name = "commerce.kit.mails"
    label = "mails"
