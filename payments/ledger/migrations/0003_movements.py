"""Postings say what and when themselves, and are tallied by day: lists of movements stay cheap."""

import django.db.models.deletion
from django.db import migrations, models

# The triggers that keep postings as they are stand aside for this one statement. The moment never
# goes back on an account, which is what the running maximum is for.
FILL = """
ALTER TABLE ledger_posting DISABLE TRIGGER USER;
UPDATE ledger_posting SET kind = told.kind, created_at = told.created_at FROM (
    SELECT posting.id, entry.kind, CASE WHEN balance_after IS NULL THEN entry.created_at
        ELSE max(entry.created_at) OVER (PARTITION BY account_id ORDER BY posting.id)
    END AS created_at
    FROM ledger_posting AS posting JOIN ledger_entry AS entry ON entry.id = entry_id
) AS told WHERE told.id = ledger_posting.id;
ALTER TABLE ledger_posting ENABLE TRIGGER USER;
INSERT INTO ledger_postingtally (account_id, day, kind, postings)
SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, kind, count(*)
FROM ledger_posting WHERE balance_after IS NOT NULL GROUP BY 1, 2, 3;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0002_payout_kinds'),
    ]

    operations = [
        migrations.CreateModel(
            name='PostingTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('account', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tallies', to='ledger.account')),
                ('kind', models.CharField(max_length=40)),
                ('day', models.DateField()),
                ('postings', models.BigIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'day', 'kind'), name='posting_tally_once')],
            },
        ),
        migrations.AddField(
            model_name='posting',
            name='kind',
            field=models.CharField(default='', max_length=40, verbose_name='kind'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='posting',
            name='created_at',
            field=models.DateTimeField(default='1970-01-01T00:00:00Z', verbose_name='created at'),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='posting',
            index=models.Index(condition=models.Q(('balance_after__isnull', False)), fields=['account', 'created_at', 'id'], name='posting_moment'),
        ),
        migrations.AddIndex(
            model_name='posting',
            index=models.Index(condition=models.Q(('balance_after__isnull', False)), fields=['account', 'kind', 'created_at', 'id'], name='posting_kind'),
        ),
    ]
