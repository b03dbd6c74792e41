from django.apps import AppConfig


class MailsConfig(AppConfig):
    name = "kit.messages.mails"
    label = "mails"
