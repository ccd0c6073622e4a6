import django.contrib.postgres.fields
import django.db.models.deletion
import functools
import payments.core.fields
import payments.core.ids
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('merchants', '0009_endpoint_kinds'),
        ('webhooks', '0006_failed_of_merchants'),
    ]

    operations = [
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('whe',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('url', models.CharField(max_length=2000, verbose_name='URL')),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=None, verbose_name='events')),
                ('secret', payments.core.fields.EncryptedTextField(editable=False, verbose_name='webhook secret')),
                ('description', models.CharField(blank=True, max_length=200, verbose_name='description')),
                ('is_enabled', models.BooleanField(default=True, verbose_name='on')),
                ('idempotency_key', models.CharField(editable=False, max_length=255, null=True)),
                ('fingerprint', models.BinaryField(max_length=32)),
                ('created_by', models.CharField(editable=False, max_length=150)),
                ('created_at', models.DateTimeField(verbose_name='created at')),
                ('updated_at', models.DateTimeField(verbose_name='updated at')),
                ('deleted_at', models.DateTimeField(null=True, verbose_name='deleted at')),
                ('merchant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhook_endpoints', to='merchants.merchant', verbose_name='merchant')),
            ],
            options={
                'verbose_name': 'webhook endpoint',
                'verbose_name_plural': 'webhook endpoints',
            },
        ),
        migrations.AddField(
            model_name='delivery',
            name='endpoint',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='webhooks.endpoint', verbose_name='endpoint'),
        ),
        migrations.AddConstraint(
            model_name='endpoint',
            constraint=models.UniqueConstraint(fields=('merchant', 'idempotency_key'), name='endpoint_once_per_key'),
        ),
        migrations.AddConstraint(
            model_name='endpoint',
            constraint=models.CheckConstraint(condition=models.Q(('deleted_at', None), ('is_enabled', False), _connector='OR'), name='endpoint_deleted_is_off'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='endpoint',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='be5c5eaeb25127a40b98c481aa7399fa4bab7b49', operation='DELETE', pgid='pgtrigger_keep_2f2f9', table='webhooks_endpoint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='endpoint',
            trigger=pgtrigger.compiler.Trigger(name='no_truncate', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot truncate % table', TG_TABLE_NAME;", hash='38715e3afba26c5eb8d790ce939c896aee35ed71', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_no_truncate_35ad7', table='webhooks_endpoint', when='BEFORE')),
        ),
    ]
