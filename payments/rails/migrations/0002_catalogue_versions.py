"""Each change of these tables gives them a new version. The locks are short, the tables small."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0012_catalogue_versions'),
        ('rails', '0001_initial'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='route',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='09478cc887a82f98cca84eedbeb95f3f40471f0b', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_5fbe8', table='rails_route', when='AFTER')),
        ),
    ]
