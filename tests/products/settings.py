"""The service with the toy product: what its recipe adds to config/settings/base.py and RAILS."""

from importlib import reload

from config.settings import *  # noqa: F403
from config.settings import api, base, celery, rails

base.PRODUCTS.append("tests.products.voucher.declaration.VOUCHERS")
base.INSTALLED_APPS.append("tests.products.voucher")
# These have read PRODUCTS already.
for _module in (api, celery, rails):
    globals().update(
        {name: value for name, value in vars(reload(_module)).items() if name.isupper()}
    )
RAILS = [*rails.RAILS, "tests.rails.kiosk.RAIL"]
