"""Every setting of the service, read from the environment, with a default for a bare machine.

A secret may be given as NAME or as NAME_FILE (the path of a file that holds it).
Development defaults are refused in production by `check --deploy` (config/checks.py).
"""

from config.settings.api import *
from config.settings.bank_statements import *
from config.settings.base import *
from config.settings.cache import *
from config.settings.celery import *
from config.settings.chains import *
from config.settings.console import *
from config.settings.database import *
from config.settings.environment import *
from config.settings.history import *
from config.settings.mail import *
from config.settings.money import *
from config.settings.monitoring import *
from config.settings.payout_batches import *
from config.settings.rails import *
from config.settings.roles import *
from config.settings.security import *
from config.settings.webhooks import *
