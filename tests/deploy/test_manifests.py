"""compose.yaml and the manifests: their settings are those of the service, and nothing runs with
more than it needs. Their schemas are checked by `make check`."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.fernet import Fernet
from django.conf import settings

from config.devstack.options import PROJECT, read_options
from config.devstack.workers import celery_worker, web_command
from config.settings import env
from config.web import ALWAYS

COMPOSE = yaml.safe_load((PROJECT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("migrate", "web", "console", "worker", "pump", "beat")
MANIFESTS = [
    document
    for path in sorted((PROJECT / "deploy/kubernetes").glob("*.yaml"))
    for document in yaml.safe_load_all(path.read_text())
]
GIVEN = {
    "PUBLIC_URL": "https://pagos.example",
    "ALLOWED_HOSTS": "pagos.example",
    "MAIL_FROM": "Pasarela <pagos@pagos.example>",
}
ENV_SAMPLE = (PROJECT / "deploy/compose/env.sample").read_text()
# Before the first migration there is no table that other checks could ask.
LOOK_AT_SETTINGS = """
import django; django.setup()
from django.conf import settings
from django.core.management import call_command
call_command("check", deploy=True, tags=["security"], fail_level="WARNING")
print("RATE_MAX_AGE_SECONDS", settings.RATE_MAX_AGE_SECONDS)
"""


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: Any) -> Path:
    directory = tmp_path_factory.mktemp("deploy") / "secrets"
    make_secrets(directory)
    return directory


def make_secrets(directory: Path) -> str:
    script = PROJECT / "deploy/compose/make-secrets.sh"
    made = subprocess.run(
        ["sh", str(script), str(directory)], capture_output=True, text=True, check=True
    )
    return made.stdout


def substituted(value: Any) -> str:
    """As compose does with ${NAME:?why}, ${NAME:-default} and ${NAME-default}."""
    return re.sub(
        r"\$\{(\w+)(:?[-?])([^}]*)\}",
        lambda found: GIVEN.get(found[1], "" if "?" in found[2] else found[3]),
        str(value),
    )


def run_settings(environment: dict[str, str], secrets: Path, tmp_path: Path) -> str:
    """`check --deploy` with what the manifest gives, and the secrets where they would be."""
    given = {
        name: value.replace("/run/secrets", str(secrets)) for name, value in environment.items()
    }
    keep = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    given |= {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", LOOK_AT_SETTINGS],
        cwd=PROJECT,
        env={**keep, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_compose_passes_the_checks_of_production(secrets: Path, tmp_path: Path) -> None:
    environment = SERVICES["web"]["environment"]
    own = {"WEB_ROLE": "console", "WEB_WORKERS": "${CONSOLE_WORKERS:-1}"}
    assert own.items() <= SERVICES["console"]["environment"].items()
    for name in OURS:
        given = SERVICES[name]["environment"]
        assert {k: v for k, v in given.items() if k not in own}.items() <= environment.items()
    seen = run_settings({k: substituted(v) for k, v in environment.items()}, secrets, tmp_path)
    # Play coins keep their price: in a sandbox no task sets it again each hour.
    assert "RATE_MAX_AGE_SECONDS 0\n" in seen


@pytest.mark.parametrize("name", OURS)
def test_a_setting_in_the_env_file_reaches_every_container(name: str) -> None:
    """Otherwise DATA_RETENTION_DAYS, written where the manual says, would change nothing."""
    assert SERVICES[name]["env_file"] == [{"path": ".env", "required": False}]
    # The one name that means something else there: the machine's port.
    assert SERVICES[name]["environment"]["PORT"] == 8000
    assert all(port.endswith(":8000") for port in SERVICES[name].get("ports", []))


def test_kubernetes_has_the_settings_of_compose() -> None:
    found = {
        item["metadata"]["name"]: item["data"] for item in MANIFESTS if item["kind"] == "ConfigMap"
    }
    configuration = found.pop("pasarela")
    assert found == {"pasarela-console": {"WEB_ROLE": "console"}}
    composed = {k: substituted(v) for k, v in SERVICES["web"]["environment"].items()}
    # What a .env file may not change is the image's own, and Kubernetes reads no such file.
    image = (PROJECT / "Dockerfile").read_text()
    for name in ("DATA_DIR", "PROMETHEUS_MULTIPROC_DIR"):
        assert f"{name}={composed.pop(name)} \\\n" in image
    assert configuration == {k: v for k, v in composed.items() if k != "LOG_LEVEL"}


def test_the_sample_of_an_env_file_starts_the_service(secrets: Path, tmp_path: Path) -> None:
    sample = dict(re.findall(r"^([A-Z_]+)=(.*)$", ENV_SAMPLE, re.MULTILINE))
    assert sample == {**GIVEN, "PUBLIC_HOST": "pagos.example"}
    environment = {k: substituted(v) for k, v in SERVICES["web"]["environment"].items()}
    given = tmp_path / "secrets"
    shutil.copytree(secrets, given)
    (given / "email_url").write_text("smtp+tls://pasarela:a%40b@mail.example.co:587\n")
    run_settings({**sample, **environment}, given, tmp_path)
    unnamed = {**environment, "MAIL_FROM": "Pasarela <pasarela@localhost>"}
    with pytest.raises(AssertionError, match="MAIL_FROM must be given"):
        run_settings(unnamed, given, tmp_path)


def test_samples_show_the_defaults_of_further_settings() -> None:
    further = dict(re.findall(r"^#([A-Z_]+)=(.*)$", ENV_SAMPLE, re.MULTILINE))
    kubernetes = (PROJECT / "deploy/kubernetes/configuration.yaml").read_text()
    assert further == dict(re.findall(r'^  #([A-Z_]+): "(.*)"$', kubernetes, re.MULTILINE))
    assert len(further) > 10
    manual = (PROJECT / "docs/operations/settings.md").read_text()
    for name, value in further.items():
        if name.startswith("RATE_LIMIT_"):
            found = settings.RATE_LIMITS[name.removeprefix("RATE_LIMIT_").lower()]
        else:
            found = getattr(settings, name)
        shown = ",".join(map(str, found)) if isinstance(found, list) else str(found)
        assert shown.removesuffix(".0") == value, name
        assert f"`{name}`" in manual, name


def test_secrets_are_made_once_and_each_its_own(tmp_path: Path) -> None:
    directory = tmp_path / "secrets"
    assert "made encryption_keys" in make_secrets(directory)
    files = {path.name: path.read_text() for path in directory.iterdir()}
    Fernet(files["encryption_keys"])
    assert files["database_password"] in files["database_url"]
    assert files["redis_password"] in files["redis_url"]
    assert json.loads(files["rail_accounts"]) == {"accounts": [], "routes": []}
    assert files["email_url"] == ""
    random = [text for name, text in files.items() if name not in ("rail_accounts", "email_url")]
    assert len(set(random)) == len(random) == 9
    assert all(len(text) >= 40 for text in random)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700

    assert make_secrets(directory) == ""
    assert {path.name: path.read_text() for path in directory.iterdir()} == files
    # Every secret that compose speaks of is one of them.
    named = {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()}
    assert named == set(files)


def test_no_password_has_a_default() -> None:
    for path in ("compose.yaml", "deploy/kubernetes/configuration.yaml"):
        text = (PROJECT / path).read_text()
        assert not re.search(r"(?i)(password|secret|token|key): *[\"']?\w{6,}", text), path


def test_what_a_service_waits_for_can_say_that_it_is_well() -> None:
    for name, service in SERVICES.items():
        for needed, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "test" in SERVICES[needed]["healthcheck"], f"{name} waits for {needed}"
            else:
                assert SERVICES[needed]["restart"].startswith("on-failure"), needed


@pytest.mark.parametrize("name", [name for name in OURS if name != "migrate"])
def test_a_service_starts_after_the_tables_and_stops_in_its_time(name: str) -> None:
    service = SERVICES[name]
    assert service["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert service["restart"] == "unless-stopped"
    assert service["stop_grace_period"]
    # The image's own health check asks a web server.
    assert "test" in service["healthcheck"]


def test_databases_are_not_reached_from_outside() -> None:
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["inside"]
        assert "ports" not in SERVICES[name]
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["web"]["ports"])


def pods() -> list[Any]:
    found = []
    for item in MANIFESTS:
        name = item.get("metadata", {}).get("name")
        if item["kind"] in ("Deployment", "Job"):
            found.append(pytest.param(item["spec"]["template"]["spec"], id=name))
        if item["kind"] == "CronJob":
            spec = item["spec"]["jobTemplate"]["spec"]["template"]["spec"]
            found.append(pytest.param(spec, id=name))
    return found


@pytest.mark.parametrize("pod", pods())
def test_a_pod_may_do_nothing_that_it_does_not_need(pod: dict[str, Any]) -> None:
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in [*pod["containers"], *pod.get("initContainers", [])]:
        context = container["securityContext"]
        assert context["readOnlyRootFilesystem"] is True
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["requests"]
        assert container["resources"]["limits"]["memory"]
        assert "env" not in container  # settings are in one place, secrets in files


def deployments() -> dict[str, dict[str, Any]]:
    return {
        item["metadata"]["name"].removeprefix("pasarela-"): item["spec"]
        for item in MANIFESTS
        if item["kind"] == "Deployment"
    }


def test_what_is_downloaded_lies_on_a_disk_until_it_is_sent() -> None:
    """A year's statement is longer than the memory that stands for /tmp."""
    image = (PROJECT / "Dockerfile").read_text()
    (place,) = re.findall(r"TMPDIR=(\S+)", image)
    mounted = dict(volume.split(":")[1::-1] for volume in SERVICES["web"]["volumes"])
    assert mounted[place] in COMPOSE["volumes"]
    assert set(SERVICES["worker"]["volumes"]) <= set(SERVICES["web"]["volumes"])
    pod = deployments()["web"]["template"]["spec"]
    (name,) = [
        mount["name"]
        for mount in pod["containers"][0]["volumeMounts"]
        if mount["mountPath"] == place
    ]
    (volume,) = [volume for volume in pod["volumes"] if volume["name"] == name]
    assert "medium" not in volume["emptyDir"]


def test_the_console_is_a_service_of_its_own_behind_the_same_address() -> None:
    proxy = (PROJECT / "deploy/compose/Caddyfile").read_text()
    for name, paths in (("console", "path"), ("service", "not path")):
        assert f"@{name} {paths} /admin /admin/*\n" in proxy
    assert "import server @console console:8000\n" in proxy
    assert "import server @service web:8000\n" in proxy
    assert SERVICES["web"]["environment"]["WEB_ROLE"] == "api"
    console = deployments()["console"]["template"]["spec"]
    for container in [*console["containers"], *console["initContainers"]]:
        # The later one outweighs the earlier one.
        names = [source["configMapRef"]["name"] for source in container["envFrom"]]
        assert names == ["pasarela", "pasarela-console"]


def test_there_is_one_beat() -> None:
    beat = deployments()["beat"]
    assert (beat["replicas"], beat["strategy"]["type"]) == (1, "Recreate")


def test_manifests_name_only_what_other_manifests_define() -> None:
    """Autoscalers, budgets and services point to something that is there."""
    found = deployments()
    for item in MANIFESTS:
        spec = item.get("spec", {})
        if item["kind"] == "HorizontalPodAutoscaler":
            assert spec["scaleTargetRef"]["name"].removeprefix("pasarela-") in found
        labels = spec.get("selector", {})
        labels = labels.get("matchLabels", labels) if item["kind"] != "Deployment" else {}
        if component := labels.get("app.kubernetes.io/component"):
            assert component in found
    listed = yaml.safe_load((PROJECT / "deploy/kubernetes/kustomization.yaml").read_text())
    there = {path.name for path in (PROJECT / "deploy/kubernetes").glob("*.yaml")}
    assert set(listed["resources"]) == there - {"kustomization.yaml"}


@pytest.mark.parametrize(
    ("name", "queue", "called"), [("money", "default", "worker"), ("pump", "webhooks", "pump")]
)
def test_workers_are_started_alike_everywhere(name: str, queue: str, called: str) -> None:
    _, *arguments = celery_worker(name, queue=queue, threads=4)
    container = deployments()[called]["template"]["spec"]["containers"][0]
    assert container["command"] == ["python", *arguments]
    assert SERVICES[called]["command"] == ["python", *arguments]


def test_the_image_serves_like_the_development_stack() -> None:
    last = (PROJECT / "Dockerfile").read_text().splitlines()[-1]
    own = {"--host", "--port", "--workers", "--threads", "--workers-kill-timeout"}
    for argument in web_command(read_options({}))[1:]:
        name = argument.split("=")[0]
        if name == "--log-level":
            continue
        assert name in last if name in own else argument in last


def test_the_proxy_takes_requests_whole_and_in_time() -> None:
    """A body longer than its buffer would be passed on unfinished."""
    text = (PROJECT / "deploy/compose/Caddyfile").read_text()
    assert re.search(r"request_body @others \{\s+max_size 128KiB", text)
    assert re.search(r"request_body @upload \{\s+max_size 33MiB", text)
    assert settings.BANK_STATEMENT_UPLOAD_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES < 33 * 2**20
    assert text.count(f" {settings.BANK_STATEMENT_UPLOAD_PATH}") == 2
    assert re.search(r"request_body @payouts \{\s+max_size 9MiB", text)
    assert settings.PAYOUT_BATCH_UPLOAD_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES < 9 * 2**20
    assert settings.PAYOUT_BATCH_API_MAX_BYTES < 9 * 2**20
    payouts = f" {settings.PAYOUT_BATCH_UPLOAD_PATH} {settings.PAYOUT_BATCH_API_PATH}\n"
    assert text.count(payouts) == 2
    assert settings.DISPUTE_FILE_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES < 9 * 2**20
    assert text.count(f" {settings.DISPUTE_FILE_PATH} ") == 2
    assert settings.BANK_CERTIFICATE_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES < 9 * 2**20
    assert text.count(f" {settings.BANK_CERTIFICATE_PATH} ") == 2
    assert "request_buffers 128KiB" in text
    assert settings.PAGE_MAX_BODY_BYTES == 128 * 1024
    for limit in ("read_header 5s", "read_body 15s", "idle 60s"):
        assert re.search(rf"servers \{{.*timeouts \{{[^}}]*{limit}\n", text, re.DOTALL)
    kept = re.search(r"keepalive (\d+)s", text)
    closed = next(word for word in ALWAYS if "header-read-timeout" in word).partition("=")[2]
    assert kept is not None
    assert int(kept[1]) * 1000 < int(closed)


def test_a_stop_waits_longer_than_the_server_does() -> None:
    waits = re.search(r"--workers-kill-timeout=(\d+)s", (PROJECT / "Dockerfile").read_text())
    assert waits is not None
    assert int(waits[1]) < int(SERVICES["web"]["stop_grace_period"].removesuffix("s"))
    # The pause before the stop counts, too.
    pod = deployments()["web"]["template"]["spec"]
    assert int(waits[1]) + 8 < pod["terminationGracePeriodSeconds"]


def test_a_line_break_at_the_end_of_a_file_is_no_part_of_the_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`echo` and editors write one; a database named "pasarela\\n" is not found."""
    (tmp_path / "address").write_text("postgresql://db/pasarela\n")
    monkeypatch.setenv("AN_ADDRESS_FILE", str(tmp_path / "address"))
    assert env("AN_ADDRESS") == "postgresql://db/pasarela"
