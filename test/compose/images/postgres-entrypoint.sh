#!/bin/sh
# What the documentation of the official image says of POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB and an
# empty volume; started as the user postgres alone.
set -eu

user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

if [ "${1:-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?a password is needed to make a database}"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  secret=$(mktemp)
  printf '%s\n' "$POSTGRES_PASSWORD" >"$secret"
  initdb --username="$user" --pwfile="$secret" --encoding=UTF8 --auth-local=trust \
    --auth-host=scram-sha-256 --pgdata="$PGDATA"
  rm "$secret"
  printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  printf "\nlisten_addresses = '*'\n" >>"$PGDATA/postgresql.conf"
  if [ "$database" != postgres ]; then
    # A server without TCP: who waits for the port does not meet it.
    pg_ctl --pgdata="$PGDATA" --wait --options="-c listen_addresses='' -c unix_socket_directories=/tmp" start
    psql --host=/tmp --username="$user" --dbname=postgres --no-psqlrc --quiet \
      --command="create database \"$database\""
    pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
  fi
fi

exec "$@" -c unix_socket_directories=/var/run/postgresql
