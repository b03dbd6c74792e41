"""The tables of jobs, as the migrations that this one replaces leave them."""

import kit.values.ids
import kit.values.timestamps
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from kit.database.initial_tables import CreateModels


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('jobs', '0001_initial'),
        ('jobs', '0002_moved_tasks'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Job',
                fields=[
                    ('id', kit.values.ids.IdField(prefix='job', serialize=False)),
                    ('kind', models.CharField(max_length=64)),
                    ('title', models.CharField(max_length=255)),
                    ('parameters', models.JSONField(default=dict)),
                    ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('canceled', 'Canceled'), ('failed', 'Failed')], default='queued', max_length=16)),
                    ('total', models.PositiveIntegerField()),
                    ('succeeded', models.PositiveIntegerField(default=0)),
                    ('refused', models.PositiveIntegerField(default=0)),
                    ('message', models.TextField(blank=True, default='')),
                    ('turn', models.PositiveIntegerField(default=0)),
                    ('idle_turns', models.PositiveIntegerField(default=0)),
                    ('created_at', kit.values.timestamps.TimestampField(default=kit.values.timestamps.now)),
                    ('started_at', kit.values.timestamps.TimestampField(null=True)),
                    ('finished_at', kit.values.timestamps.TimestampField(null=True)),
                    ('expires_at', kit.values.timestamps.TimestampField(db_index=True, null=True)),
                    ('actor', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ],
                options={
                    'indexes': [models.Index(fields=['actor', '-created_at'], name='jobs_job_by_actor')],
                },
            ),
            migrations.CreateModel(
                name='Refusal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('label', models.CharField(max_length=255)),
                    ('reason', models.TextField()),
                    ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refusals', to='jobs.job')),
                ],
                options={
                    'ordering': ('pk',),
                },
            ),
            migrations.CreateModel(
                name='Selection',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('first', models.PositiveIntegerField()),
                    ('keys', models.JSONField()),
                    ('job', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='selections', to='jobs.job')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('job', 'first'), name='jobs_selection_first_once')],
                },
            ),
        ]),
    ]
