"""The tables of sign-in, as the migrations that this one replaces leave them."""

import kit.values.ids
import kit.values.timestamps
import staff.models
import django.db.models.functions.text
from django.db import migrations, models

from kit.database.initial_tables import CreateModels


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('commerce_auth', '0001_initial'),
        ('commerce_auth', '0002_known_address'),
        ('commerce_auth', '0003_password_reset'),
    ]

    dependencies = []

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='AuthIdentity',
                fields=[
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now, editable=False)),
                    ('updated_at', kit.values.timestamps.TimestampField(auto_now=True)),
                    ('deleted_at', kit.values.timestamps.TimestampField(blank=True, editable=False, null=True)),
                    ('id', kit.values.ids.IdField(prefix='authid', serialize=False)),
                    ('email', models.EmailField(max_length=254, unique=True)),
                    ('password', models.CharField(max_length=128)),
                    ('customer_id', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                    ('stamp', models.CharField(default=staff.models.new_stamp, editable=False, max_length=22)),
                ],
                options={
                    'verbose_name_plural': 'auth identities',
                    'constraints': [models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='auth_identity_email_lower')],
                },
            ),
            migrations.CreateModel(
                name='KnownAddress',
                fields=[
                    ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                    ('seen_at', kit.values.timestamps.TimestampField(db_index=True, default=kit.values.timestamps.now)),
                ],
            ),
            migrations.CreateModel(
                name='PasswordReset',
                fields=[
                    ('id', kit.values.ids.IdField(prefix='pwreset', serialize=False)),
                    ('actor_type', models.CharField(max_length=16)),
                    ('email', models.TextField()),
                    ('created_at', kit.values.timestamps.TimestampField(db_index=True, default=kit.values.timestamps.now)),
                ],
            ),
        ]),
    ]
