import os
import subprocess
import sys

from config.devstack.options import PROJECT
from payments.api.reference.document import document

READERS = """
import django
django.setup()
from concurrent.futures import ThreadPoolExecutor
from payments.api.reference.document import document
with ThreadPoolExecutor(4) as pool:
    made = list(pool.map(lambda _: document(), range(4)))
print(len(made[0]["paths"]), all(one is made[0] for one in made))
"""


def test_first_readers_at_the_same_time_get_the_whole_document() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READERS],
        cwd=PROJECT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(len(document()["paths"])), "True"]
