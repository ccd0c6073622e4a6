"""The plugin in a real WordPress on MariaDB (Debian's packages); WooCommerce is stubs here, too.

WORDPRESS_ROOT names a folder into which the packages were unpacked instead of installed.
"""

import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from tests.contract.wire import Server
from tests.examples.woocommerce.conftest import HERE, PLUGIN, Shop, open_shop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
ROOT = Path(os.environ.get("WORDPRESS_ROOT", "/"))
WORDPRESS = ROOT / "usr/share/wordpress"
SERVER = ROOT / "usr/sbin/mariadbd"
INSTALLER = ROOT / "usr/bin/mariadb-install-db"
LIBRARIES = {"LD_LIBRARY_PATH": str(ROOT / "usr/lib/x86_64-linux-gnu")} if Path("/") != ROOT else {}
START_SECONDS = 60


@dataclass(frozen=True)
class WordPress:
    php: tuple[str, ...]
    environment: dict[str, str]


def extensions() -> tuple[str, ...] | None:
    """The options with which PHP speaks to MariaDB."""
    if shutil.which("php") is None:
        return None
    known = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True).stdout
    if "mysqli" in known.split():
        return ()
    found = sorted(ROOT.glob("usr/lib/php/*/mysql[in]*.so"), reverse=True) if LIBRARIES else []
    return tuple(f"-dextension={path}" for path in found) or None


def missing() -> list[str]:
    """Debian's names of the packages."""
    needed = {"wordpress": WORDPRESS / "wp-settings.php", "mariadb-server": SERVER}
    lacking = [name for name, path in needed.items() if not path.exists()]
    return lacking + ([] if extensions() is not None else ["php-mysql"])


@pytest.fixture(scope="module")
def wordpress(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WordPress]:
    if lacking := missing():
        names = ", ".join(lacking)
        message = f"No {names}: the WooCommerce plugin is NOT TRIED in a real WordPress"
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    folder = tmp_path_factory.mktemp("wordpress")
    plugins = folder / "content" / "mu-plugins"
    plugins.mkdir(parents=True)
    shutil.copy(HERE / "real_content.php", plugins)
    environment = {
        "WORDPRESS": str(WORDPRESS),
        "CONTENT": str(folder / "content"),
        "STUBS": str(HERE),
        "DATABASE": str(folder / "db.sock"),
        **LIBRARIES,
    }
    process = start_database(folder)
    try:
        php = ("php", *(extensions() or ()))
        running = WordPress(php, environment)
        run([*php, str(HERE / "real_wordpress.php"), str(PLUGIN), "install"], environment)
        yield running
    finally:
        process.terminate()
        process.wait(60)


def start_database(folder: Path) -> "subprocess.Popen[bytes]":
    """MariaDB on a socket, with an empty database."""
    data, socket, log = folder / "data", folder / "db.sock", folder / "db.log"
    base = [f"--basedir={ROOT / 'usr'}", f"--datadir={data}"]
    user = [f"--user={os.environ.get('USER', 'root')}"] if os.geteuid() == 0 else []
    own = [*base, *user, f"--lc-messages-dir={ROOT / 'usr/share/mysql'}"]
    login = "--auth-root-authentication-method=normal"
    run([str(INSTALLER), "--no-defaults", *base, *user, login, "--skip-test-db"], {})
    (folder / "init.sql").write_text("CREATE DATABASE shop CHARACTER SET utf8mb4;\n")
    quiet = ["--skip-networking", f"--socket={socket}", f"--init-file={folder / 'init.sql'}"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(SERVER), "--no-defaults", *own, *quiet, f"--pid-file={folder / 'db.pid'}"],
            env={**os.environ, **LIBRARIES},
            stdout=out,
            stderr=out,
        )
    deadline = time.monotonic() + START_SECONDS
    while "ready for connections" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
    return process


def run(command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(
        command,
        env={**os.environ, **LIBRARIES, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def shop(
    wordpress: WordPress,
    service: Server,
    merchant: Merchant,
    transactional_db: None,
    settings: Any,
) -> Iterator[Shop]:
    """Café Andino's shop in a real WordPress."""
    settings.DOORBELL = False
    with open_shop(merchant, service.port, wordpress.php, wordpress.environment) as running:
        yield running


def test_a_sale_and_a_refund_in_a_real_wordpress(shop: Shop) -> None:
    order = shop.order()
    shop.do("world", set={"network": ["lost"]})
    sent = shop.pay(order)
    assert sent == {"result": "success", "redirect": shop.attempt(order)["url"], "notices": []}
    assert Order.objects.get().description == f"Order {order}, Café & Té"
    shop.answer(shop.attempt(order), "COMPLETED")
    messages = shop.new_webhooks()
    (paid,) = [each for each in messages if b"payment.completed" in each.body]
    forged = shop.do("webhook", headers=paid.headers, body=paid.body.decode() + " ")
    assert forged == [401, "not genuine"]
    assert [shop.take(paid), shop.take(paid)] == [[200, "done"], [200, "known"]]
    assert shop.see(order)["status"] == "processing"
    assert shop.do("refund", order=order, amount=20000, reason="Agotado") == "booked"
    shop.api.post(f"/sandbox/refund/{Refund.objects.get().pk}", {"status": "COMPLETED"})
    shop.do("cron")
    assert shop.see(order)["refunds"] == [["20000", "COMPLETED"]]


def test_settings_page_of_a_real_wordpress_prints_no_secret(shop: Shop) -> None:
    shop.do("save settings", fields=shop.posted(api_secret="sk_test_new", title="PSE & <b>"))
    assert shop.do("option", name="pasarela_woo_secrets")["api"] == "sk_test_new"
    page = shop.do("settings page")
    assert "sk_test_new" not in page
    assert "https://tienda.example/index.php?rest_route=/pasarela/v1/webhook" in page
    assert "_wpnonce=" in page


def test_an_order_cancelled_in_a_real_wordpress_cannot_be_paid(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.do("status", order=order, status="cancelled")
    assert Order.objects.get().status == "EXPIRED"
