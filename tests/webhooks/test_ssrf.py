"""No request forgery (F12): the rules, the look-up, and real connections that must not happen."""

import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from merchants.url_safety import is_blocked
from tests.support.measurements import record
from tests.webhooks.receivers import Receiver, answering
from webhooks import event_loop, signing, ssrf
from webhooks.sender import DeliveryResponse, Sender

BLOCKED = {
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fdff::1"],
    "link-local": ["169.254.0.1", "fe80::1", "febf::1", "fe80::1%eth0"],
    "metadata": ["169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200"],
    "host agent": ["168.63.129.16", "192.0.0.192"],
    "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
    "NAT64": ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1"],
    "6to4": ["2002:7f00:1::", "2002:808:808::1", "192.88.99.1"],
    "Teredo": ["2001::1", "2001:0:53aa:64c:0:0:0:1"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a00:1"],
    "IPv4-compatible": ["::127.0.0.1", "::8.8.8.8"],
    "IPv4-translated": ["::ffff:0:7f00:1"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1", "5f00::1", "100::1", "fec0::1"],
    "benchmark": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "no plain address": ["", "localhost", "127.1", "0177.0.0.1", "2130706433", "0x7f000001"],
}
PUBLIC = ["8.8.8.8", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1"]
PUBLIC += ["192.167.0.1", "223.255.255.255", "2606:4700::1111", "2800:3f0::1", "2a00::1"]
LOCAL = ["127.0.0.1", "::1", "10.0.0.1", "172.17.0.2", "192.168.1.1", "fd12:3456::1"]

BLOCKED_CASES = [(kind, text) for kind, texts in BLOCKED.items() for text in texts]


@pytest.fixture
def production(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False


@pytest.mark.parametrize(("kind", "address"), BLOCKED_CASES)
def test_every_address_that_is_not_the_public_internet_is_blocked(kind: str, address: str) -> None:
    assert is_blocked(address, allow_private=False)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_not_blocked(address: str) -> None:
    assert not is_blocked(address, allow_private=False)


@pytest.mark.parametrize("address", PUBLIC + LOCAL)
def test_development_reaches_private_receivers(address: str) -> None:
    assert not is_blocked(address, allow_private=True)


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        case
        for case in BLOCKED_CASES
        if case[1] not in LOCAL and case[0] not in ("loopback", "private")
    ],
)
def test_development_reaches_no_other_special_address(kind: str, address: str) -> None:
    assert is_blocked(address, allow_private=True)


# --- The URL's text ------------------------------------------------------------------------------

GOOD_URLS = [
    "https://example.com",
    "https://example.com/hooks?shop=1",
    "http://example.com:8080/",
    "https://hooks.café.co/ñ",
    "https://8.8.8.8/hooks",
    "https://[2606:4700::1111]/hooks",
    "https://1e100.net/",
    "https://0xbad.example/",
]
BAD_URLS = [
    ("", "INVALID_URL"),
    ("example.com/hooks", "INVALID_URL"),
    ("/hooks", "INVALID_URL"),
    ("//example.com/hooks", "INVALID_URL"),
    ("ftp://example.com/", "INVALID_URL"),
    ("file:///etc/passwd", "INVALID_URL"),
    ("javascript:alert(1)", "INVALID_URL"),
    ("gopher://127.0.0.1:6379/_FLUSHALL", "INVALID_URL"),
    ("https://", "INVALID_URL"),
    ("https://:443/", "INVALID_URL"),
    ("https:///hooks", "INVALID_URL"),
    ("https://ana@example.com/", "INVALID_URL"),
    ("https://ana:clave@example.com/", "INVALID_URL"),
    ("https://@example.com/", "INVALID_URL"),
    ("https://example.com@169.254.169.254/", "INVALID_URL"),
    ("https://example.com\\@127.0.0.1/", "INVALID_URL"),
    ("https://exa mple.com/", "INVALID_URL"),
    (" https://example.com/", "INVALID_URL"),
    ("https://example.com/\t", "INVALID_URL"),
    ("https://example.com/\r\nX-Evil: 1", "INVALID_URL"),
    ("https://example.com/\x00", "INVALID_URL"),
    ("https://example.com:0/", "INVALID_URL"),
    ("https://example.com:22/", "INVALID_URL"),
    ("https://example.com:25/", "INVALID_URL"),
    ("https://example.com:65536/", "INVALID_URL"),
    ("https://example.com:99999999999999999999/", "INVALID_URL"),
    ("https://example.com:-1/", "INVALID_URL"),
    ("https://example.com:https/", "INVALID_URL"),
    ("https://[::1/", "INVALID_URL"),
    ("https://[zz]/", "INVALID_URL"),
    ("https://example.com/" + "a" * 2000, "INVALID_URL"),
    ("http://127.0.0.1/", "BLOCKED_ADDRESS"),
    ("http://127.0.0.1./", "BLOCKED_ADDRESS"),
    ("http://localhost/", "BLOCKED_ADDRESS"),
    ("http://LOCALHOST./", "BLOCKED_ADDRESS"),
    ("http://api.localhost:8080/", "BLOCKED_ADDRESS"),
    ("http://2130706433/", "BLOCKED_ADDRESS"),
    ("http://0x7f000001/", "BLOCKED_ADDRESS"),
    ("http://0x7f.0.0.1/", "BLOCKED_ADDRESS"),
    ("http://127.0.0.0x1/", "BLOCKED_ADDRESS"),
    ("http://0177.0.0.1/", "BLOCKED_ADDRESS"),
    ("http://017700000001/", "BLOCKED_ADDRESS"),
    ("http://127.1/", "BLOCKED_ADDRESS"),
    ("http://127.0.1/", "BLOCKED_ADDRESS"),
    ("http://0/", "BLOCKED_ADDRESS"),
    ("http://134744072/", "BLOCKED_ADDRESS"),  # 8.8.8.8, but in disguise
    ("http://１２７.0.0.1/", "BLOCKED_ADDRESS"),
    ("http://127。0。0。1/", "BLOCKED_ADDRESS"),
    ("http://①②⑦.0.0.1/", "BLOCKED_ADDRESS"),
    ("http://[::1]/", "BLOCKED_ADDRESS"),
    ("http://[::ffff:127.0.0.1]/", "BLOCKED_ADDRESS"),
    ("http://[64:ff9b::a9fe:a9fe]/", "BLOCKED_ADDRESS"),
    ("http://[fe80::1%25eth0]/", "BLOCKED_ADDRESS"),
    ("http://169.254.169.254/latest/meta-data/", "BLOCKED_ADDRESS"),
    ("http://[fd00:ec2::254]/", "BLOCKED_ADDRESS"),
]


@pytest.mark.usefixtures("production")
@pytest.mark.parametrize("url", GOOD_URLS)
def test_a_good_url_may_be_stored(url: str) -> None:
    assert ssrf.check_webhook_url(url).host


@pytest.mark.usefixtures("production")
@pytest.mark.parametrize(("url", "code"), BAD_URLS)
def test_bad_url_is_refused_with_its_code(url: str, code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ssrf.check_webhook_url(url)
    # A host that no parser accepts is as good as a blocked one.
    assert caught.value.code == code
    assert caught.value.messages[0]


@pytest.mark.parametrize(
    "url", ["http://localhost:9000/", "http://127.0.0.1:9000/", "http://[::1]:9000/"]
)
def test_development_may_store_a_local_url(url: str, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    assert ssrf.check_webhook_url(url)


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://2130706433/"]
)
def test_development_stores_no_metadata_or_disguised_url(url: str, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with pytest.raises(ValidationError):
        ssrf.check_webhook_url(url)


# --- Real sockets: a canary listens, and no connection may come ----------------------------------


def post(url: str) -> DeliveryResponse:
    async def once() -> DeliveryResponse:
        async with Sender() as sender:
            return await sender.post(url, b"{}", {"Content-Type": signing.CONTENT_TYPE})

    return event_loop.run(once())


@pytest.fixture(params=["127.0.0.1", "::1"])
def canary(request: pytest.FixtureRequest) -> Iterator[Receiver]:
    with Receiver(host=request.param) as listening:
        yield listening


NameServer = Callable[..., None]


@pytest.fixture
def name_server(monkeypatch: pytest.MonkeyPatch) -> NameServer:
    """Plays the name server: each look-up takes the next answer, the last one stays."""

    def play(*answers: list[str]) -> None:
        left = list(answers)

        def look_up(host: str, port: int, family: int) -> list[Any]:
            addresses = left.pop(0) if len(left) > 1 else left[0]
            return [
                entry
                for address in addresses
                for entry in socket.getaddrinfo(
                    address, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
                )
            ]

        monkeypatch.setattr(ssrf, "look_up", look_up)

    return play


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
@pytest.mark.parametrize("kind", [kind for kind in BLOCKED if kind != "no plain address"])
def test_no_socket_is_opened_to_a_blocked_address(
    kind: str, name_server: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither to the address itself nor to a name that stands for it, alone or among good ones."""
    opened: list[str] = []
    open_socket, tries = ssrf.open_socket, 0

    def counted(address: tuple[Any, ...]) -> socket.socket:
        socket_ = open_socket(address)
        opened.append(address[4][0])
        return socket_

    monkeypatch.setattr(ssrf, "open_socket", counted)
    for text in BLOCKED[kind]:
        host = f"[{text}]" if ":" in text else text
        name_server(["8.8.8.8", text.partition("%")[0]])
        for url in (f"http://{host}:8080/", "http://evil.example:8080/"):
            assert post(url).error in ("BLOCKED_ADDRESS", "INVALID_URL"), url
            tries += 1
    record(f"{kind}: {tries} tries, {len(opened)} sockets", tries=tries, connections=len(opened))
    assert not opened


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
def test_the_canary_hears_nothing_by_its_address(canary: Receiver) -> None:
    assert post(canary.url).error == "BLOCKED_ADDRESS"
    record(tries=1, connections=canary.connections)
    assert canary.connections == 0


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "127.0.0.1.", "0"]
)
def test_canary_hears_nothing_by_another_spelling_of_its_address(host: str) -> None:
    with Receiver() as canary:
        assert post(f"http://{host}:{canary.port}/").error == "BLOCKED_ADDRESS"
        record(tries=1, connections=canary.connections)
        assert canary.connections == 0


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["2606:4700::1111", "8.8.8.8", "169.254.169.254"],
        ["64:ff9b::7f00:1"],
    ],
    ids=",".join,
)
def test_canary_hears_nothing_by_a_name_with_one_blocked_address(
    answer: list[str], name_server: NameServer
) -> None:
    name_server(answer)
    with Receiver() as canary:
        assert post(f"http://evil.example:{canary.port}/").error == "BLOCKED_ADDRESS"
        record(tries=1, connections=canary.connections)
        assert canary.connections == 0


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
def test_canary_hears_nothing_by_a_name_that_changes_its_address(
    name_server: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look-up is the only one: what was checked is what is connected to."""
    name_server(["192.0.2.7"], ["127.0.0.1"])
    connected: list[Any] = []
    # 192.0.2.7 stands for a public address where no server replies.
    rules = ssrf.is_blocked
    monkeypatch.setattr(
        ssrf, "is_blocked", lambda a, **options: a != "192.0.2.7" and rules(a, **options)
    )

    def refuse(address: tuple[Any, ...]) -> socket.socket:
        connected.append(address[4][0])
        raise ConnectionRefusedError

    monkeypatch.setattr(ssrf, "open_socket", refuse)
    with Receiver() as canary:
        assert post(f"http://rebind.example:{canary.port}/").error == "CONNECT"
        assert set(connected) == {"192.0.2.7"}
        record(tries=1, connections=canary.connections)
        assert canary.connections == 0


@pytest.mark.faults("F12")
@pytest.mark.usefixtures("production")
def test_socket_check_refuses_what_the_other_checks_let_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each socket's own address is checked, whatever the look-up let through."""

    async def resolve(self: Any, host: str, port: int = 0, family: Any = 0) -> list[Any]:
        common = {"hostname": host, "port": port, "proto": 0, "flags": ssrf.NUMERIC}
        return [
            {**common, "host": "127.0.0.1", "family": socket.AF_INET},
            {**common, "host": "::1", "family": socket.AF_INET6},
        ]

    monkeypatch.setattr(ssrf.Resolver, "resolve", resolve)
    with Receiver() as canary:
        assert post(f"http://evil.example:{canary.port}/").error == "BLOCKED_ADDRESS"
        record(tries=1, connections=canary.connections)
        assert canary.connections == 0


@pytest.mark.faults("F12")
def test_a_redirect_to_a_blocked_address_is_not_followed(settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with Receiver() as canary:
        for status in (301, 302, 303, 307, 308):
            to = f"Location: {canary.url}"
            with Receiver(answering(status, b"", to)) as redirecting:
                answer = post(redirecting.url)
            assert (answer.status, answer.error) == (status, "REDIRECT")
        record(tries=1, connections=canary.connections)
        assert canary.connections == 0


def test_development_reaches_a_receiver_by_name(receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    assert post(f"http://localhost:{receiver.port}/").error == ""


def test_proxies_of_the_environment_are_not_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with Receiver() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert post(receiver.url).error == ""
        assert proxy.connections == 0
    assert len(receiver.requests) == 1


def test_the_look_up_of_a_name_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*_: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(ssrf, "look_up", look_up)
    assert post("https://nowhere.example/").error == "DNS"


def test_certificates_are_verified_by_default() -> None:
    context = Sender()._tls
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
