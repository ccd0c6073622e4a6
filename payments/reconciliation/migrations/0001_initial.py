import django.core.validators
import django.db.models.deletion
import functools
import payments.core.fields
import payments.core.ids
import pgtrigger.compiler
import pgtrigger.migrations
import re
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('collect', '0018_account_of_money'),
        ('rails', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='LineMatch',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('lma',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('CHARGE', 'Payment of an order'), ('PAYOUT_LINE', 'Line of a payment file'), ('DISBURSEMENT', 'Disbursement of an acquirer'), ('COST', 'Cost of the bank'), ('MERCHANT', 'Credited to a merchant'), ('RETURN', 'Returned'), ('OTHER', 'Other movement')], max_length=20, verbose_name='kind')),
                ('subject_id', models.CharField(blank=True, max_length=60, verbose_name='subject')),
                ('amount', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='amount')),
                ('explanation', models.JSONField(default=list, verbose_name='explanation')),
                ('decided_by', models.CharField(blank=True, max_length=150, verbose_name='decided by')),
                ('decided_at', models.DateTimeField(verbose_name='decided at')),
                ('undone_by', models.CharField(blank=True, max_length=150, verbose_name='taken back by')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='taken back at')),
                ('undo_reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='LineSource',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('file_line', models.PositiveIntegerField(verbose_name='line in the file')),
                ('operation_id', models.CharField(blank=True, max_length=60, verbose_name="bank's operation")),
                ('reference', models.CharField(blank=True, max_length=60, verbose_name='reference')),
            ],
        ),
        migrations.CreateModel(
            name='StatementFile',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('stf',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('format', models.CharField(max_length=20, verbose_name='format')),
                ('name', models.CharField(max_length=200, verbose_name='file')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('size', models.PositiveBigIntegerField(verbose_name='bytes')),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('opening', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, null=True, verbose_name='opening balance')),
                ('closing', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, null=True, verbose_name='closing balance')),
                ('is_complete', models.BooleanField(verbose_name='has all movements of its days')),
                ('lines', models.PositiveIntegerField(verbose_name='lines')),
                ('new_lines', models.PositiveIntegerField(verbose_name='new lines')),
                ('credits', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='credits')),
                ('debits', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='debits')),
                ('source', models.CharField(choices=[('CONSOLE', 'Console'), ('COMMAND', 'Command'), ('DIRECTORY', 'Watched directory')], max_length=10, verbose_name='came by')),
                ('imported_by', models.CharField(max_length=150, verbose_name='imported by')),
                ('imported_at', models.DateTimeField(verbose_name='imported at')),
            ],
            options={
                'verbose_name': 'statement',
                'verbose_name_plural': 'statements',
            },
        ),
        migrations.CreateModel(
            name='StatementGap',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('first_day', models.DateField(verbose_name='first day')),
                ('last_day', models.DateField(verbose_name='last day')),
                ('amount', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, null=True, verbose_name='missing amount')),
                ('explained', payments.core.fields.MoneyField(decimal_places=8, default=0, max_digits=24, verbose_name='imported later')),
                ('reason', models.CharField(max_length=500, verbose_name='reason')),
                ('accepted_by', models.CharField(max_length=150, verbose_name='accepted by')),
                ('accepted_at', models.DateTimeField(verbose_name='accepted at')),
            ],
            options={
                'verbose_name': 'gap between statements',
                'verbose_name_plural': 'gaps between statements',
            },
        ),
        migrations.CreateModel(
            name='StatementLine',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('booked_on', models.DateField(verbose_name='booked on')),
                ('amount', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='amount')),
                ('number', models.PositiveIntegerField()),
                ('description', models.CharField(blank=True, max_length=300, verbose_name='description')),
                ('reference', models.CharField(blank=True, max_length=60, verbose_name='reference')),
                ('document', models.CharField(blank=True, max_length=40, verbose_name='document')),
                ('counterparty', models.CharField(blank=True, max_length=100, verbose_name='counterparty')),
                ('code', models.CharField(blank=True, max_length=20, verbose_name="bank's code")),
                ('operation_id', models.CharField(blank=True, max_length=60, verbose_name="bank's operation")),
                ('file_line', models.PositiveIntegerField(verbose_name='line in the file')),
                ('status', models.CharField(choices=[('NEW', 'New'), ('AMBIGUOUS', 'With candidates'), ('UNMATCHED', 'No candidate'), ('MATCHED', 'Matched'), ('BOOKED', 'Booked')], default='NEW', max_length=10, verbose_name='status')),
                ('match_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(verbose_name='imported at')),
            ],
            options={
                'verbose_name': 'bank movement',
                'verbose_name_plural': 'bank movements',
            },
        ),
        migrations.CreateModel(
            name='StatementUpload',
            fields=[
                ('id', payments.core.fields.IdField(db_collation='C', default=functools.partial(payments.core.ids.new_id, *('stu',), **{}), editable=False, max_length=32, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='file')),
                ('sha256', models.CharField(max_length=64, verbose_name='SHA-256')),
                ('size', models.PositiveBigIntegerField(verbose_name='bytes')),
                ('accepted_gap', models.CharField(blank=True, max_length=500, verbose_name='reason for the gap')),
                ('status', models.CharField(choices=[('WAITING', 'Waiting'), ('RUNNING', 'Being imported'), ('DONE', 'Imported'), ('REFUSED', 'Refused')], default='WAITING', max_length=10, verbose_name='status')),
                ('is_gap', models.BooleanField(default=False)),
                ('reason', models.CharField(blank=True, max_length=1000, verbose_name='reason')),
                ('line', models.PositiveIntegerField(null=True, verbose_name='line in the file')),
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('uploaded_by', models.CharField(max_length=150, verbose_name='uploaded by')),
                ('uploaded_at', models.DateTimeField(verbose_name='uploaded at')),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished at')),
            ],
            options={
                'verbose_name': 'uploaded statement',
                'verbose_name_plural': 'uploaded statements',
            },
        ),
        migrations.CreateModel(
            name='UploadPart',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='WatchedFile',
            fields=[
                ('path', models.CharField(max_length=500, primary_key=True, serialize=False)),
                ('size', models.PositiveBigIntegerField()),
                ('modified_ns', models.BigIntegerField()),
                ('unchanged_since', models.DateTimeField()),
                ('taken_until', models.DateTimeField(null=True)),
            ],
            options={
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='AwaitedTransfer',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('account', models.CharField(max_length=40, verbose_name='account')),
                ('reference', models.CharField(max_length=20, verbose_name='reference')),
                ('charge_id', payments.core.fields.IdField(blank=True, db_collation='C', max_length=32)),
                ('amount', payments.core.fields.MoneyField(decimal_places=8, max_digits=24, verbose_name='amount')),
                ('received', payments.core.fields.MoneyField(decimal_places=8, default=0, max_digits=24, verbose_name='received')),
                ('expires_at', models.DateTimeField(verbose_name='expires at')),
                ('created_at', models.DateTimeField(verbose_name='created at')),
                ('report_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'awaited transfer',
                'verbose_name_plural': 'awaited transfers',
                'indexes': [models.Index(fields=['account', 'amount', 'created_at'], name='awaited_transfer_amount'), models.Index(condition=models.Q(('received__gt', 0), ('received__lt', models.F('amount'))), fields=['account', 'id'], name='awaited_transfer_partial'), models.Index(fields=['charge_id'], name='awaited_transfer_charge'), models.Index(fields=['account', 'created_at'], name='awaited_transfer_day'), models.Index(condition=models.Q(('report_at__isnull', False)), fields=['report_at'], name='awaited_transfer_due')],
                'constraints': [models.UniqueConstraint(fields=('reference', 'account'), name='awaited_transfer_once')],
            },
        ),
        migrations.CreateModel(
            name='BankAccount',
            fields=[
                ('slug', models.CharField(max_length=30, primary_key=True, serialize=False, validators=[django.core.validators.RegexValidator(re.compile('\\A[a-z][a-z0-9-]{0,29}\\Z'), 'Lower-case letters, digits and dashes.')], verbose_name='name in URLs')),
                ('label', models.CharField(max_length=60, verbose_name='label')),
                ('bank_code', models.CharField(max_length=4, verbose_name='bank')),
                ('number', models.CharField(max_length=20, verbose_name='account number')),
                ('account_type', models.CharField(choices=[('SAVINGS', 'Savings'), ('CHECKING', 'Checking')], max_length=10, verbose_name='account type')),
                ('holder', models.CharField(max_length=100, verbose_name='holder')),
                ('document', models.CharField(max_length=20, verbose_name='NIT of the holder')),
                ('created_by', models.CharField(max_length=150, verbose_name='created by')),
                ('created_at', models.DateTimeField(verbose_name='created at')),
            ],
            options={
                'verbose_name': 'bank account',
                'verbose_name_plural': 'bank accounts',
                'constraints': [models.UniqueConstraint(fields=('bank_code', 'number'), name='bank_account_once')],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='bankaccount',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='a14ea30382af9932904e157c7a70c067f63ee74c', operation='DELETE', pgid='pgtrigger_keep_dff9b', table='reconciliation_bankaccount', when='BEFORE')),
        ),
        migrations.AddField(
            model_name='linematch',
            name='transfer',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='reconciliation.awaitedtransfer', verbose_name='awaited transfer'),
        ),
        migrations.AddField(
            model_name='statementfile',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='reconciliation.bankaccount', verbose_name='bank account'),
        ),
        migrations.AddField(
            model_name='linesource',
            name='file',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sources', to='reconciliation.statementfile', verbose_name='statement'),
        ),
        migrations.AddField(
            model_name='statementgap',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gaps', to='reconciliation.bankaccount', verbose_name='bank account'),
        ),
        migrations.AddField(
            model_name='statementgap',
            name='file',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='gap', to='reconciliation.statementfile', verbose_name='statement'),
        ),
        migrations.AddField(
            model_name='statementline',
            name='account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='reconciliation.bankaccount', verbose_name='bank account'),
        ),
        migrations.AddField(
            model_name='statementline',
            name='file',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='first_lines', to='reconciliation.statementfile', verbose_name='statement'),
        ),
        migrations.AddField(
            model_name='linesource',
            name='line',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sources', to='reconciliation.statementline'),
        ),
        migrations.AddField(
            model_name='linematch',
            name='line',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='reconciliation.statementline', verbose_name='bank movement'),
        ),
        migrations.AddField(
            model_name='statementupload',
            name='account',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reconciliation.bankaccount', verbose_name='bank account'),
        ),
        migrations.AddField(
            model_name='statementupload',
            name='file',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reconciliation.statementfile', verbose_name='statement'),
        ),
        migrations.AddField(
            model_name='uploadpart',
            name='upload',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='reconciliation.statementupload'),
        ),
        migrations.AddIndex(
            model_name='statementfile',
            index=models.Index(fields=['account', 'last_day'], name='statement_file_day'),
        ),
        migrations.AddConstraint(
            model_name='statementfile',
            constraint=models.UniqueConstraint(fields=('account', 'sha256'), name='statement_file_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='statementfile',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;", hash='db79fac7407a2405f704e55d258b3ff22d0c2202', operation='UPDATE OR DELETE', pgid='pgtrigger_keep_d48b8', table='reconciliation_statementfile', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='statementgap',
            index=models.Index(fields=['account', 'last_day'], name='statement_gap_day'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='statementgap',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='2f421b2ffb439dca9b2fa9396dca4fa47ea65ead', operation='DELETE', pgid='pgtrigger_keep_dedc9', table='reconciliation_statementgap', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='statementline',
            index=models.Index(condition=models.Q(('match_at__isnull', False)), fields=['match_at'], name='statement_line_due'),
        ),
        migrations.AddIndex(
            model_name='statementline',
            index=models.Index(condition=models.Q(('status__in', ['AMBIGUOUS', 'UNMATCHED'])), fields=['id'], name='statement_line_waits'),
        ),
        migrations.AddIndex(
            model_name='statementline',
            index=models.Index(condition=models.Q(('reference', ''), _negated=True), fields=['reference'], name='statement_line_reference'),
        ),
        migrations.AddIndex(
            model_name='statementline',
            index=models.Index(condition=models.Q(('document', ''), _negated=True), fields=['document'], name='statement_line_document'),
        ),
        migrations.AddIndex(
            model_name='statementline',
            index=models.Index(fields=['amount'], name='statement_line_amount'),
        ),
        migrations.AddConstraint(
            model_name='statementline',
            constraint=models.UniqueConstraint(fields=('account', 'booked_on', 'amount', 'number'), name='statement_line_once'),
        ),
        migrations.AddConstraint(
            model_name='statementline',
            constraint=models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='statement_line_not_zero'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='statementline',
            trigger=pgtrigger.compiler.Trigger(name='legal_moves', sql=pgtrigger.compiler.UpsertTriggerSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."status", \':\', NEW."status") = ANY(\'{NEW:AMBIGUOUS,NEW:BOOKED,NEW:MATCHED,NEW:UNMATCHED,AMBIGUOUS:BOOKED,AMBIGUOUS:MATCHED,AMBIGUOUS:UNMATCHED,UNMATCHED:AMBIGUOUS,UNMATCHED:BOOKED,UNMATCHED:MATCHED,MATCHED:AMBIGUOUS,MATCHED:UNMATCHED,BOOKED:AMBIGUOUS,BOOKED:UNMATCHED}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."status" IS DISTINCT FROM NEW."status") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "status" from "%" to "%" on table %\', OLD."status", NEW."status", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='037a4d39a640e0e43ed4e20863208880aaf40d34', operation='UPDATE', pgid='pgtrigger_legal_moves_c232f', table='reconciliation_statementline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='statementline',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='ce4a82eb745309f79a9cc41d1c9c93a6bd48c844', operation='DELETE', pgid='pgtrigger_keep_232d9', table='reconciliation_statementline', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='linesource',
            constraint=models.UniqueConstraint(fields=('file', 'file_line'), name='line_source_once'),
        ),
        migrations.AddIndex(
            model_name='linematch',
            index=models.Index(fields=['kind', 'subject_id'], name='line_match_subject'),
        ),
        migrations.AddConstraint(
            model_name='linematch',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at', None)), fields=('line',), name='line_match_counts_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='linematch',
            trigger=pgtrigger.compiler.Trigger(name='keep', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;", hash='a86ac30984e05ffa25ce0a3bc1561d49a3bcf773', operation='DELETE', pgid='pgtrigger_keep_ffa88', table='reconciliation_linematch', when='BEFORE')),
        ),
        migrations.AddIndex(
            model_name='statementupload',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='statement_upload_due'),
        ),
        migrations.AddConstraint(
            model_name='statementupload',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('due_at__isnull', False), ('status__in', ('WAITING', 'RUNNING'))), models.Q(models.Q(('status__in', ('WAITING', 'RUNNING')), _negated=True), ('due_at', None)), _connector='OR'), name='statement_upload_open_is_due'),
        ),
        migrations.AddConstraint(
            model_name='uploadpart',
            constraint=models.UniqueConstraint(fields=('upload', 'number'), name='upload_part_once'),
        ),
    ]
