import django.db.models.deletion
import payments.core.fields
import payments.rates.models
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collect', '0016_qr_codes'),
    ]

    operations = [
        migrations.AddField(
            model_name='refund',
            name='coin',
            field=models.CharField(blank=True, db_default='', default='', max_length=4, verbose_name='coin'),
        ),
        migrations.AddField(
            model_name='refund',
            name='coin_amount',
            field=payments.core.fields.MoneyField(blank=True, decimal_places=8, max_digits=24, null=True, verbose_name='amount in coins'),
        ),
        migrations.AddField(
            model_name='refund',
            name='coin_network',
            field=models.CharField(blank=True, db_default='', default='', max_length=30, verbose_name='network'),
        ),
        migrations.AddField(
            model_name='refund',
            name='coin_rate',
            field=payments.rates.models.RateField(blank=True, decimal_places=18, max_digits=36, null=True, verbose_name='price of the coin'),
        ),
        migrations.CreateModel(
            name='RefundTransaction',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('network', models.CharField(max_length=30, verbose_name='network')),
                ('transaction', models.CharField(db_collation='C', max_length=100, verbose_name='transaction')),
                ('position', models.PositiveIntegerField()),
                ('entered_by', models.CharField(max_length=150, verbose_name='entered by')),
                ('entered_at', models.DateTimeField(verbose_name='entered at')),
                ('refund', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='transactions', to='collect.refund')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('transaction', 'position', 'network'), name='refund_transaction_once')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='refundtransaction',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='0fe8f3fb2a772b41320b4e5557d7c6b77bfd0cb8', operation='UPDATE OR DELETE', pgid='pgtrigger_keep_d90cb', table='collect_refundtransaction', when='BEFORE')),
        ),
    ]
