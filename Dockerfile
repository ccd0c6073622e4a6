# The service's image. By default the web server; the same image runs the workers and beat:
#   python -m config.worker money default
#   python -m config.worker pump webhooks
#   python -m config.beat /tmp/celerybeat-schedule
# /tmp must be writable, and DATA_DIR, which holds the simulator's state only; the rest may be
# read-only.
# The web server also needs /var/tmp on a disk, for downloads until they are sent.
# Another registry or a pinned digest: docker build --build-arg PYTHON_IMAGE=...
ARG PYTHON_IMAGE=python:3.12-slim
FROM ${PYTHON_IMAGE}

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DJANGO_SETTINGS_MODULE=config.settings

WORKDIR /app
COPY requirements/base.txt requirements/base.txt
RUN pip install --require-hashes -r requirements/base.txt

RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin pasarela \
    && install -d -o pasarela -m 0700 /var/lib/pasarela /var/lib/history
COPY . .
# Static files have a hash of their content in their names, so they are collected once, here. The
# keys are placeholders of this command only.
RUN ENV=production SECRET_KEY=only-for-collectstatic \
    ENCRYPTION_KEYS=b25seS1mb3ItY29sbGVjdHN0YXRpYy0wMTIzNDU2Nzg= \
    DATABASE_URL=postgresql://unused/unused REDIS_URL=redis://unused/0 DATA_DIR=/tmp/build \
    python manage.py collectstatic --noinput --verbosity 0

# No development defaults from here on, and no writes below /app.
ENV ENV=production \
    DATA_DIR=/var/lib/pasarela \
    PROMETHEUS_MULTIPROC_DIR=/tmp/metrics \
    WEB_PULSE_DIR=/tmp/web-pulse \
    TMPDIR=/var/tmp \
    PORT=8000 \
    WEB_WORKERS=2 \
    WEB_THREADS=4
USER pasarela
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/healthz\", timeout=4)"]
# `exec` makes granian the main process, which receives SIGTERM.
CMD ["sh", "-c", "rm -rf \"$PROMETHEUS_MULTIPROC_DIR\" \"$WEB_PULSE_DIR\"; exec python -m config.web --host=0.0.0.0 --port=$PORT --workers=$WEB_WORKERS --threads=$WEB_THREADS --respawn-failed-workers --workers-kill-timeout=20s config.rsgi:application"]
