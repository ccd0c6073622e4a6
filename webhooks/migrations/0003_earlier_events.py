"""Events from before the sequence get their row; the beat numbers them, oldest first."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('webhooks', '0002_event_numbers'),
    ]

    operations = [
        migrations.RunSQL(
            """
            INSERT INTO webhooks_eventnumber (event_id, merchant_id)
            SELECT id, merchant_id FROM webhooks_event ORDER BY created_at, id
            ON CONFLICT (event_id) DO NOTHING
            """,
            migrations.RunSQL.noop,
        ),
    ]
