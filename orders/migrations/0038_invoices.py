"""Invoices and credit notes, which triggers keep as they were written."""

from typing import Any

import django.db.models.deletion
import kit.values.ids
import kit.values.money
import kit.values.timestamps
from django.db import migrations, models

from orders.invoices import triggers


def _install(apps: Any, schema_editor: Any) -> None:
    triggers.install(schema_editor)


def _remove(apps: Any, schema_editor: Any) -> None:
    triggers.remove(schema_editor)


class Migration(migrations.Migration):

    dependencies = [
        ('customers', '0006_filled_search'),
        ('orders', '0037_agreed_returns'),
        ('shop', '0008_invoices'),
    ]

    operations = [
        migrations.CreateModel(
            name='Invoice',
            fields=[
                ('id', kit.values.ids.IdField(prefix='inv', serialize=False)),
                ('kind', models.CharField(choices=[('invoice', 'Invoice'), ('credit_note', 'Credit Note')], max_length=12)),
                ('series_year', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('shown_number', models.CharField(max_length=64)),
                ('reason', models.CharField(choices=[('sale', 'Sale'), ('change', 'Change'), ('return', 'Return'), ('refund', 'Refund'), ('cancellation', 'Cancellation'), ('correction', 'Correction')], max_length=16)),
                ('issued_at', kit.values.timestamps.TimestampField()),
                ('issued_on', models.DateField()),
                ('supplied_on', models.DateField(null=True)),
                ('due_on', models.DateField(null=True)),
                ('locale', models.CharField(max_length=35, null=True)),
                ('country_code', models.CharField(max_length=2, null=True)),
                ('seller', models.JSONField()),
                ('buyer', models.JSONField()),
                ('subtotal', kit.values.money.MoneyField()),
                ('tax_total', kit.values.money.MoneyField()),
                ('total', kit.values.money.MoneyField()),
                ('paid_by', models.JSONField(default=list)),
                ('created_by', models.CharField(max_length=64, null=True)),
            ],
            options={
                'permissions': [('correct_invoice', 'Can correct invoice')],
            },
        ),
        migrations.CreateModel(
            name='InvoiceLine',
            fields=[
                ('id', kit.values.ids.IdField(prefix='invln', serialize=False)),
                ('position', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('goods', 'Goods'), ('shipping', 'Shipping'), ('gift_card', 'Gift Card'), ('refund', 'Refund')], max_length=12)),
                ('reference_id', models.CharField(max_length=64, null=True)),
                ('title', models.TextField()),
                ('variant_title', models.TextField(null=True)),
                ('sku', models.TextField(null=True)),
                ('quantity', models.PositiveIntegerField()),
                ('unit_price', kit.values.money.MoneyField()),
                ('is_tax_inclusive', models.BooleanField()),
                ('discount_total', kit.values.money.MoneyField()),
                ('category', models.CharField(choices=[('S', 'Taxed'), ('Z', 'Zero-rated'), ('E', 'Exempt'), ('O', 'Gift cards')], max_length=2)),
                ('combination', models.CharField(max_length=64)),
                ('taxes', models.JSONField(default=list)),
                ('subtotal', kit.values.money.MoneyField()),
                ('tax_total', kit.values.money.MoneyField()),
                ('total', kit.values.money.MoneyField()),
            ],
        ),
        migrations.CreateModel(
            name='InvoiceNumber',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('invoice', 'Invoice'), ('credit_note', 'Credit Note')], max_length=12)),
                ('series_year', models.PositiveSmallIntegerField()),
                ('last', models.PositiveIntegerField()),
                ('taken_at', kit.values.timestamps.TimestampField()),
            ],
        ),
        migrations.CreateModel(
            name='InvoiceTax',
            fields=[
                ('id', kit.values.ids.IdField(prefix='invtx', serialize=False)),
                ('position', models.PositiveIntegerField()),
                ('category', models.CharField(choices=[('S', 'Taxed'), ('Z', 'Zero-rated'), ('E', 'Exempt'), ('O', 'Gift cards')], max_length=2)),
                ('combination', models.CharField(max_length=64)),
                ('code', models.TextField()),
                ('description', models.TextField(null=True)),
                ('rate', kit.values.money.PercentField()),
                ('subtotal', kit.values.money.MoneyField()),
                ('total', kit.values.money.MoneyField()),
            ],
        ),
        migrations.CreateModel(
            name='InvoiceFile',
            fields=[
                ('invoice', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='file', serialize=False, to='orders.invoice')),
                ('path', models.CharField(max_length=255, unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('size', models.PositiveIntegerField()),
                ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
            ],
        ),
        migrations.AddField(
            model_name='invoice',
            name='corrects',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='credit_notes', to='orders.invoice'),
        ),
        migrations.AddField(
            model_name='invoice',
            name='currency',
            field=models.ForeignKey(db_column='currency_code', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='shop.currency'),
        ),
        migrations.AddField(
            model_name='invoice',
            name='order',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invoices', to='orders.order'),
        ),
        migrations.AddField(
            model_name='invoiceline',
            name='invoice',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='orders.invoice'),
        ),
        migrations.AddConstraint(
            model_name='invoicenumber',
            constraint=models.UniqueConstraint(fields=('kind', 'series_year'), name='orders_invoicenumber_series'),
        ),
        migrations.AddField(
            model_name='invoicetax',
            name='invoice',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='taxes', to='orders.invoice'),
        ),
        migrations.AddIndex(
            model_name='invoice',
            index=models.Index(fields=['issued_at', 'id'], name='orders_invoice_issued'),
        ),
        migrations.AddIndex(
            model_name='invoice',
            index=models.Index(fields=['shown_number'], name='orders_invoice_shown'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.UniqueConstraint(fields=('kind', 'series_year', 'number'), name='orders_invoice_number_taken'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='orders_invoice_number'),
        ),
        migrations.AddConstraint(
            model_name='invoice',
            constraint=models.CheckConstraint(condition=models.Q(('total__gte', 0)), name='orders_invoice_total'),
        ),
        migrations.AddConstraint(
            model_name='invoiceline',
            constraint=models.UniqueConstraint(fields=('invoice', 'position'), name='orders_invoiceline_place'),
        ),
        migrations.AddConstraint(
            model_name='invoicetax',
            constraint=models.UniqueConstraint(fields=('invoice', 'position'), name='orders_invoicetax_place'),
        ),
        migrations.RunPython(_install, _remove),
    ]
