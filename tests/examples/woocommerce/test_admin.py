"""Settings, the block checkout and what the WooCommerce plugin prints."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from merchants.models import ApiKey
from tests.examples.woocommerce.conftest import PLUGIN, Shop
from tests.support.factories import issue_key
from webhooks.endpoint_models import Endpoint

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SCRIPT = '<script>alert("x")</script>'
BLOCKS = """
const strict = (name, known) => new Proxy(known, {
  get(target, key) {
    if (!(key in target)) throw new Error(`${name} has no ${String(key)}`);
    return target[key];
  },
});
const known = [], handlers = [];
const states = ["NIT", " 890903938 "];
const el = (type, props, ...children) =>
  typeof type === "function" ? { type, props } : { type, props, children };
globalThis.window = strict("window", {
  wp: strict("wp", {
    element: strict("element", {
      createElement: el, useState: () => [states.shift(), () => {}], useEffect: (work) => work(),
    }),
    htmlEntities: strict("htmlEntities", { decodeEntities: (text) => text }),
  }),
  wc: strict("wc", {
    wcSettings: strict("wcSettings", { getSetting: (name) => {
      if (name !== "pasarela_data") throw new Error(name);
      return JSON.parse(process.argv[1]);
    } }),
    wcBlocksRegistry: strict("wcBlocksRegistry", { registerPaymentMethod: (m) => known.push(m) }),
  }),
});
require(process.argv[2]);
const [method] = known;
method.content.type({
  eventRegistration: { onPaymentSetup: (work) => { handlers.push(work); return () => {}; } },
  emitResponse: { responseTypes: { ERROR: "error", SUCCESS: "success" } },
});
const { name, ariaLabel, supports } = method;
console.log(JSON.stringify({ name, ariaLabel, supports, sent: handlers[0]() }));
"""


def test_no_secret_is_printed(shop: Shop) -> None:
    page = shop.do("settings page")
    secrets = shop.do("option", name="pasarela_woo_secrets")
    assert secrets["api"] == shop.api.headers["X-Api-Secret"]
    merchant = shop.api.merchant
    assert merchant
    assert shop.api.headers["X-Api-Secret"] not in page
    assert merchant.webhook_secret not in page
    assert "Saved: 1" in page


def test_saving_keeps_secrets_out_of_the_settings_and_empty_fields_keep_them(shop: Shop) -> None:
    shop.do("save settings", fields=shop.posted(api_secret="sk_test_new"))
    shop.do("save settings", fields=shop.posted(api_secret=""))
    assert shop.do("option", name="pasarela_woo_secrets")["api"] == "sk_test_new"
    settings = shop.do("option", name="woocommerce_pasarela_settings")
    assert "sk_test_new" not in settings.values()


@pytest.mark.parametrize(
    "address", ["http://pagos.example/api/v1", "javascript:alert(1)", "ftp://x"]
)
def test_keys_go_nowhere_without_tls(shop: Shop, address: str) -> None:
    shop.do("save settings", fields=shop.posted(api_url=address))
    settings = shop.do("option", name="woocommerce_pasarela_settings")
    assert settings["api_url"] != address


def test_webhook_secret_of_another_form_is_refused(shop: Shop) -> None:
    said = shop.do("save settings", fields=shop.posted(webhook_secret="hunter2"))
    assert said == ["The webhook secret begins with whsec_."]


def test_registration_needs_the_right_and_the_nonce(shop: Shop) -> None:
    press: dict[str, Any] = {"action": "pasarela_woo_register"}
    nonce = {"_wpnonce": "nonce-of-pasarela_woo_register"}
    assert shop.do("press", fields=nonce, **press) == "died: You may not do this."
    shop.do("world", set={"rights": ["manage_woocommerce"]})
    assert "has expired" in shop.do("press", fields={}, **press)
    assert not [path for _, path, _ in shop.requests() if "endpoints" in path]


def use_key(shop: Shop, key: ApiKey, secret: str) -> None:
    shop.set_option(api_key=key.public_key)
    shop.do("save settings", fields=shop.posted(api_secret=secret))


def test_one_click_registers_the_webhook_once(shop: Shop) -> None:
    merchant = shop.api.merchant
    assert merchant
    press: dict[str, Any] = {"action": "pasarela_woo_register"}
    press["fields"] = {"_wpnonce": "nonce-of-pasarela_woo_register"}
    shop.do("world", set={"rights": ["manage_woocommerce"]})
    use_key(shop, *issue_key(merchant))
    assert shop.do("press", **press).endswith("&pasarela=not-registered")
    use_key(shop, *issue_key(merchant, ("webhook:manage",)))
    assert shop.do("press", **press).endswith("&pasarela=registered")
    assert shop.do("press", **press).endswith("&pasarela=registered")
    endpoint = Endpoint.objects.get()
    assert endpoint.url == "https://tienda.example/wp-json/pasarela/v1/webhook"
    test = {"event": "webhook.test", "data": {}}
    assert shop.signed(test, secret=endpoint.secret) == [200, "not of this shop"]
    assert shop.signed(test) == [200, "not of this shop"]  # the account's, which was pasted
    assert endpoint.secret not in shop.do("settings page")


def test_what_others_wrote_is_printed_as_text(shop: Shop) -> None:
    order = shop.order(name=SCRIPT)
    shop.pay(order)
    attempt = shop.attempt(order)
    _, name, _, _ = attempt["reference"].split("-")
    data = {
        "id": attempt["id"],
        "reference": attempt["reference"] + SCRIPT,
        "status": "FAILED",
        "failureReason": SCRIPT,
        "traceCode": SCRIPT,
        "currency": "COP",
        "amount": 1,
        "metadata": {"shop": name, "order": order},
    }
    assert shop.signed({"event": "payment.failed", "data": data}) == [200, "done"]
    dispute = {**data, "status": "PENDING", "reason": SCRIPT, "disputedAmount": 1}
    assert shop.signed({"event": "payment.disputed", "data": dispute}, "evt_2") == [200, "done"]
    shop.do("change", order=order, set={"meta": {"_pasarela_doc_type": SCRIPT}})
    notes = shop.see(order)["notes"]
    assert sum("&lt;script" in note for note in notes) == 2
    printed = [*notes, shop.do("order page", order=order), shop.do("return page", order=order)]
    assert not [text for text in printed if "<script" in text]


def test_both_checkouts_and_the_order_tables_are_declared(shop: Shop) -> None:
    assert shop.do("features") == {"custom_order_tables": True, "cart_checkout_blocks": True}
    assert "pasarela_doc_number" in shop.do("checkout page")
    shop.set_option(documents="no")
    assert "pasarela_doc_number" not in shop.do("checkout page")


def test_the_block_checkout_sends_the_document(shop: Shop) -> None:
    if shutil.which("node") is None:
        pytest.skip("nodejs is not installed: the block checkout of the plugin is NOT TRIED")
    told = shop.do("blocks")
    assert (told["name"], told["active"]) == ("pasarela", True)
    assert told["scripts"] == ["pasarela-blocks"]
    script = str(PLUGIN / "assets" / "blocks.js")
    done = subprocess.run(
        ["node", "-e", BLOCKS, json.dumps(told["data"]), script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    fields = {"pasarela_doc_type": "NIT", "pasarela_doc_number": "890903938"}
    assert json.loads(done.stdout) == {
        "name": "pasarela",
        "ariaLabel": "PSE",
        "supports": {"features": ["products", "refunds"]},
        "sent": {"type": "success", "meta": {"paymentMethodData": fields}},
    }
    assert shop.pay(shop.order(), **fields)["result"] == "success"


def test_uninstalling_leaves_no_secret_and_no_task(shop: Shop) -> None:
    options, scheduled = shop.do("uninstall")
    assert set(options) <= {"pasarela_woo_shop"}
    assert scheduled == []
