#!/bin/sh
# Run once by the image when the cluster is made. The service's own role owns its database and is
# no superuser: the triggers that keep the books cannot be switched off with it.
set -eu
{
    printf "\\set password '%s'\n" "$(cat /run/secrets/database_password)"
    cat <<'SQL'
CREATE ROLE pasarela LOGIN PASSWORD :'password';
CREATE DATABASE pasarela OWNER pasarela;
REVOKE CONNECT ON DATABASE pasarela FROM PUBLIC;
SQL
} | psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres
