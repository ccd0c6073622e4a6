"""Each change of these tables gives them a new version. The locks are short, the tables small."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0012_catalogue_versions'),
        ('bills', '0004_at_rail'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='billterms',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='b810399ae8178942d703b466b662c86e97f674e5', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_12323', table='bills_billterms', when='AFTER')),
        ),
    ]
