from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.db import connection
from django.db.backends.signals import connection_created

from commerce.operations.checks.checks import (
    check_bucket,
    check_mail_server,
    check_picture_addresses,
    check_redirect_to_https,
)
from commerce.operations.checks.database_check import check_database, check_replicas
from commerce.operations.checks.folder_checks import check_folders
from commerce.operations.checks.mail_template_check import check_mail_templates
from commerce.operations.checks.pdf_check import check_invoice_pdf
from commerce.operations.checks.pooled_role import check_pooled_role
from commerce.operations.checks.redis_check import check_redis
from commerce.operations.checks.start_checks import check_hosts, check_providers, check_search_engines
from commerce.operations.checks.variable_checks import check_names, check_unencrypted_urls
from kit.commands.operator_command import SHOP
from kit.observability import metering


class OperationsConfig(AppConfig):
    name = "commerce.operations"
    label = "operations"

    def ready(self) -> None:
        """The last app's: all models are loaded."""
        from commerce.wiring import wire  # noqa: PLC0415 - it imports models

        wire()
        register(check_redirect_to_https, Tags.security)
        register(check_mail_server, Tags.security, deploy=True)
        register(check_mail_templates, Tags.templates)
        register(check_folders, Tags.files, deploy=True)
        register(check_names, Tags.security)
        register(check_unencrypted_urls, Tags.security, deploy=True)
        register(check_picture_addresses, Tags.urls, deploy=True)
        register(check_bucket, Tags.files, deploy=True)
        register(check_invoice_pdf, Tags.files)
        register(check_hosts, Tags.security, deploy=True)
        register(check_providers, SHOP)
        register(check_search_engines, SHOP)
        register(check_database, deploy=True)
        register(check_replicas, deploy=True)
        register(check_pooled_role, deploy=True)
        register(check_redis, deploy=True)
        if connection.vendor == "postgresql":
            from kit.database.measured_postgresql import measure  # noqa: PLC0415 - SQLite does without its driver
            from kit.database.pooler import watch_connections  # noqa: PLC0415

            connection_created.connect(measure)
            watch_connections()
        if settings.SENTRY_DSN:
            from commerce.operations.tasks.task_reports import report_failed_tasks  # noqa: PLC0415 - not loaded without it

            report_failed_tasks()
        if metering.IS_ON:
            from commerce.operations.monitoring.counting import start_counting  # noqa: PLC0415 - not loaded where metrics are off

            start_counting()
