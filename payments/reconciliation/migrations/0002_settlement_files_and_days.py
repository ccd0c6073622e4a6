import django.db.models.deletion
import django.db.models.expressions
import functools
import payments.core.fields
import payments.core.ids
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reconciliation', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DayDifference',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('account_kind', models.CharField(choices=[('BANK', 'Bank account'), ('ACQUIRER', 'Acquirer')], max_length=10, verbose_name='account kind')),
                ('account', models.CharField(max_length=30, verbose_name='account')),
                ('day', models.DateField(verbose_name='day')),
                ('flow', models.CharField(choices=[('COLLECTIONS', 'Collections'), ('DISBURSEMENTS', 'Disbursements of acquirers'), ('PAYOUTS', 'Payouts'), ('REFUNDS', 'Refunds and returns'), ('COSTS', 'Costs and taxes'), ('OWN', 'Own movements'), ('UNDECIDED', 'Undecided')], max_length=20, verbose_name='flow')),
                ('kind', models.CharField(choices=[('MISSING_THERE', 'Missing there'), ('MISSING_HERE', 'Missing here'), ('AMOUNT_DIFFERS', 'Amount differs'), ('DUPLICATED', 'Duplicated'), ('LATE', 'Late')], max_length=20, verbose_name='kind')),
                ('key', models.CharField(max_length=80)),
                ('books', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='our books')),
                ('provider', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='the provider')),
                ('bank', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='the bank')),
                ('cause', models.CharField(max_length=40)),
                ('facts', models.JSONField(default=dict)),
                ('records', models.JSONField(default=list)),
                ('due_on', models.DateField(verbose_name='expected to end until')),
                ('found_at', models.DateTimeField(verbose_name='found at')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='ended at')),
            ],
            options={
                'verbose_name': 'difference',
                'verbose_name_plural': 'differences',
            },
        ),
        migrations.CreateModel(
            name='Disbursement',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('dsb',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('day', models.DateField(verbose_name='day')),
                ('number', models.CharField(blank=True, max_length=100, verbose_name="acquirer's number")),
                ('payments', models.PositiveIntegerField(verbose_name='payments')),
                ('gross', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='gross')),
                ('commission', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='commission')),
                ('vat', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='IVA of the commission')),
                ('ica_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='reteICA')),
                ('vat_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='reteIVA')),
                ('income_tax_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='retefuente')),
                ('consumption_tax', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='impoconsumo')),
                ('net', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='net')),
                ('status', models.CharField(choices=[('ANNOUNCED', 'Announced'), ('LATE', 'Late'), ('ARRIVED', 'Arrived')], default='ANNOUNCED', max_length=10, verbose_name='status')),
                ('due_on', models.DateField(verbose_name='expected until')),
                ('arrived_on', models.DateField(blank=True, null=True, verbose_name='arrived on')),
                ('created_at', models.DateTimeField(verbose_name='announced at')),
            ],
            options={
                'verbose_name': 'disbursement',
                'verbose_name_plural': 'disbursements',
            },
        ),
        migrations.CreateModel(
            name='DisbursementRow',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('file_line', models.PositiveIntegerField(verbose_name='line in the file')),
                ('transaction_id', models.CharField(max_length=100, verbose_name='transaction')),
                ('reference', models.CharField(blank=True, max_length=100, verbose_name='reference')),
                ('paid_on', models.DateField(verbose_name='paid on')),
                ('gross', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='gross')),
                ('commission', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='commission')),
                ('vat', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='IVA of the commission')),
                ('ica_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='reteICA')),
                ('vat_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='reteIVA')),
                ('income_tax_withheld', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='retefuente')),
                ('consumption_tax', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='impoconsumo')),
                ('net', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='net')),
                ('is_reversal', models.BooleanField(verbose_name='taken back')),
            ],
            options={
                'verbose_name': 'payment of a disbursement',
                'verbose_name_plural': 'payments of disbursements',
            },
        ),
        migrations.CreateModel(
            name='ProviderTariff',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('first_day', models.DateField(verbose_name='counts from')),
                ('method', models.CharField(blank=True, max_length=60, verbose_name='method')),
                ('rate', models.DecimalField(decimal_places=6, default=0, max_digits=8, verbose_name='part of the amount')),
                ('fixed', payments.core.fields.MoneyField(decimal_places=8, default=0, max_digits=24, verbose_name='fixed part')),
                ('vat_rate', models.DecimalField(decimal_places=6, default=0, max_digits=8, verbose_name='IVA of the commission')),
                ('income_tax_rate', models.DecimalField(decimal_places=6, default=0, max_digits=8, verbose_name='retefuente')),
                ('ica_rate', models.DecimalField(decimal_places=6, default=0, max_digits=8, verbose_name='reteICA')),
                ('created_by', models.CharField(max_length=150, verbose_name='created by')),
                ('created_at', models.DateTimeField(verbose_name='created at')),
            ],
            options={
                'verbose_name': 'tariff of an acquirer',
                'verbose_name_plural': 'tariffs of acquirers',
            },
        ),
        migrations.CreateModel(
            name='ReconciledDay',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('account_kind', models.CharField(choices=[('BANK', 'Bank account'), ('ACQUIRER', 'Acquirer')], max_length=10, verbose_name='kind')),
                ('account', models.CharField(max_length=30, verbose_name='account')),
                ('day', models.DateField(verbose_name='day')),
                ('status', models.CharField(choices=[('GREEN', 'Reconciled'), ('OPEN', 'Differences not due yet'), ('RED', 'Overdue differences'), ('GREY', 'Nothing to compare')], max_length=10, verbose_name='status')),
                ('flows', models.JSONField(default=dict)),
                ('computed_at', models.DateTimeField(verbose_name='computed at')),
            ],
            options={
                'verbose_name': 'reconciled day',
                'verbose_name_plural': 'reconciled days',
            },
        ),
        migrations.CreateModel(
            name='SettlementFile',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('sef',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='file')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('size', models.PositiveBigIntegerField(verbose_name='bytes')),
                ('payments', models.PositiveIntegerField(verbose_name='payments')),
                ('new_payments', models.PositiveIntegerField(verbose_name='new payments')),
                ('imported_by', models.CharField(max_length=150, verbose_name='imported by')),
                ('imported_at', models.DateTimeField(verbose_name='imported at')),
            ],
            options={
                'verbose_name': 'settlement file',
                'verbose_name_plural': 'settlement files',
            },
        ),
        migrations.AddIndex(
            model_name='daydifference',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['account_kind', 'account', 'day'], name='day_difference_open'),
        ),
        migrations.AddIndex(
            model_name='daydifference',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['due_on'], name='day_difference_due'),
        ),
        migrations.AddConstraint(
            model_name='daydifference',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('account_kind', 'account', 'day', 'key'), name='day_difference_once'),
        ),
        migrations.AddField(
            model_name='disbursement',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rails.provideraccount', verbose_name='provider account'),
        ),
        migrations.AddField(
            model_name='disbursement',
            name='arrived_with',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reconciliation.disbursement'),
        ),
        migrations.AddField(
            model_name='disbursementrow',
            name='account',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rails.provideraccount'),
        ),
        migrations.AddField(
            model_name='disbursementrow',
            name='charge',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='collect.charge', verbose_name='charge'),
        ),
        migrations.AddField(
            model_name='disbursementrow',
            name='disbursement',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rows', to='reconciliation.disbursement', verbose_name='disbursement'),
        ),
        migrations.AddField(
            model_name='providertariff',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rails.provideraccount', verbose_name='provider account'),
        ),
        migrations.AddIndex(
            model_name='reconciledday',
            index=models.Index(fields=['status', 'day'], name='reconciled_day_status'),
        ),
        migrations.AddConstraint(
            model_name='reconciledday',
            constraint=models.UniqueConstraint(fields=('account_kind', 'account', 'day'), name='reconciled_day_once'),
        ),
        migrations.AddField(
            model_name='settlementfile',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='rails.provideraccount', verbose_name='provider account'),
        ),
        migrations.AddField(
            model_name='disbursement',
            name='file',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disbursements', to='reconciliation.settlementfile', verbose_name='settlement file'),
        ),
        migrations.AddIndex(
            model_name='disbursementrow',
            index=models.Index(fields=['account', 'paid_on'], name='disbursement_row_day'),
        ),
        migrations.AddConstraint(
            model_name='disbursementrow',
            constraint=models.UniqueConstraint(fields=('account', 'transaction_id', 'is_reversal'), name='disbursement_row_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disbursementrow',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='999813db0bb50b7c244e182b8e4b44029c0f8a48', operation='UPDATE OR DELETE', pgid='pgtrigger_keep_4b00a', table='reconciliation_disbursementrow', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='providertariff',
            constraint=models.UniqueConstraint(fields=('account', 'method', 'first_day'), name='provider_tariff_once'),
        ),
        migrations.AddConstraint(
            model_name='providertariff',
            constraint=models.CheckConstraint(condition=models.Q(('fixed__gte', 0), ('rate__gte', 0), ('rate__lt', 1), ('vat_rate__gte', 0), ('income_tax_rate__gte', 0), ('income_tax_rate__lt', 1), ('vat_rate__lt', 1), ('ica_rate__gte', 0), ('ica_rate__lt', 1)), name='provider_tariff_figures'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='providertariff',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='70fb8d59842b014520c2bbde57a2568e9b3408f9', operation='UPDATE OR DELETE', pgid='pgtrigger_keep_d75d1', table='reconciliation_providertariff', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='settlementfile',
            constraint=models.UniqueConstraint(fields=('account', 'sha256'), name='settlement_file_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='settlementfile',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='777de652be56e12f553fd0194bedd9efc494de71', operation='UPDATE OR DELETE', pgid='pgtrigger_keep_3cfd2', table='reconciliation_settlementfile', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='disbursement',
            index=models.Index(condition=models.Q(('status', 'ARRIVED'), _negated=True), fields=['net'], name='disbursement_on_its_way'),
        ),
        migrations.AddIndex(
            model_name='disbursement',
            index=models.Index(fields=['arrived_on'], name='disbursement_arrived'),
        ),
        migrations.AddConstraint(
            model_name='disbursement',
            constraint=models.UniqueConstraint(fields=('account', 'day', 'number'), name='disbursement_once'),
        ),
        migrations.AddConstraint(
            model_name='disbursement',
            constraint=models.CheckConstraint(condition=models.Q(('net', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('gross'), '-', models.F('commission')), '-', models.F('vat')), '-', models.F('ica_withheld')), '-', models.F('vat_withheld')), '-', models.F('income_tax_withheld')), '-', models.F('consumption_tax')))), name='disbursement_net'),
        ),
        migrations.AddConstraint(
            model_name='disbursement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('arrived_on__isnull', False), ('status', 'ARRIVED')), models.Q(models.Q(('status', 'ARRIVED'), _negated=True), ('arrived_on', None)), _connector='OR'), name='disbursement_arrived_on'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disbursement',
            trigger=pgtrigger.compiler.Trigger(name='legal_moves', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."status", \':\', NEW."status") = ANY(\'{ANNOUNCED:ARRIVED,ANNOUNCED:LATE,LATE:ARRIVED,ARRIVED:ANNOUNCED}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."status" IS DISTINCT FROM NEW."status") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "status" from "%" to "%" on table %\', OLD."status", NEW."status", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='836f299ed973176bb0ed0d27617de07bf7ac311d', operation='UPDATE', pgid='pgtrigger_legal_moves_37615', table='reconciliation_disbursement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disbursement',
            trigger=pgtrigger.compiler.Trigger(name='figures', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."account_id" IS DISTINCT FROM (NEW."account_id") OR OLD."file_id" IS DISTINCT FROM (NEW."file_id") OR OLD."day" IS DISTINCT FROM (NEW."day") OR OLD."number" IS DISTINCT FROM (NEW."number") OR OLD."payments" IS DISTINCT FROM (NEW."payments") OR OLD."gross" IS DISTINCT FROM (NEW."gross") OR OLD."commission" IS DISTINCT FROM (NEW."commission") OR OLD."vat" IS DISTINCT FROM (NEW."vat") OR OLD."ica_withheld" IS DISTINCT FROM (NEW."ica_withheld") OR OLD."vat_withheld" IS DISTINCT FROM (NEW."vat_withheld") OR OLD."income_tax_withheld" IS DISTINCT FROM (NEW."income_tax_withheld") OR OLD."consumption_tax" IS DISTINCT FROM (NEW."consumption_tax") OR OLD."net" IS DISTINCT FROM (NEW."net") OR OLD."due_on" IS DISTINCT FROM (NEW."due_on") OR OLD."created_at" IS DISTINCT FROM (NEW."created_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c2bfa7b2f03ddb86cae1695a31d86643982d6b61', operation='UPDATE', pgid='pgtrigger_figures_730d4', table='reconciliation_disbursement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disbursement',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='44baeb15cb735ed70a346ea081709cce7e66b4f8', operation='DELETE', pgid='pgtrigger_keep_3a901', table='reconciliation_disbursement', when='BEFORE')),
        ),
    ]
