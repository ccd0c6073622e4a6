#!/bin/sh
# Writes ./secrets (or the directory named first) once: every secret is random and its own.
# A value that is there already is kept, so it is safe to repeat. Back the directory up, apart from
# the database: without `encryption_keys` the merchants' webhook secrets cannot be read again.
set -eu
umask 077
directory=${1:-secrets}
mkdir -p "$directory"
chmod 0700 "$directory"
cd "$directory"

random_hex() { od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
# Fernet wants 32 bytes in URL-safe base64.
random_key() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n'; }

keep() {
    name=$1
    if [ ! -s "$name" ]; then
        printf '%s' "$2" > "$name.new"
        # The container's user is not the owner; the directory keeps everybody else out.
        chmod 0444 "$name.new"
        mv "$name.new" "$name"
        echo "made $name"
    fi
}

keep postgres_password "$(random_hex 24)"
keep database_password "$(random_hex 24)"
keep redis_password "$(random_hex 24)"
keep secret_key "$(random_hex 40)"
keep encryption_keys "$(random_key)"
keep metrics_token "$(random_hex 24)"
keep simulator_callback_secret "$(random_hex 24)"
keep database_url "postgresql://pasarela:$(cat database_password)@postgres:5432/pasarela"
keep redis_url "redis://:$(cat redis_password)@redis:6379/0"
# The mail server, smtp+tls://user:password@host:587 (docs/operations/mail.md). None yet.
if [ ! -e email_url ]; then
    : > email_url
    chmod 0644 email_url
    echo "made email_url"
fi
# Provider accounts that you declare (docs/rails.md). None yet.
keep rail_accounts '{"accounts": [], "routes": []}'
