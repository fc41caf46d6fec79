#!/bin/sh
# Makes Temporal's two databases, or brings them up to date. It may run at any time, also beside a server.
set -eu

tool() {
  database=$1
  shift
  temporal-sql-tool --endpoint "$SQL_HOST" --port 5432 --user "$SQL_USER" --plugin "$SQL_PLUGIN" \
    --database "$database" "$@"
}

for part in temporal visibility; do
  database=temporal
  [ "$part" = temporal ] || database=temporal_visibility
  tool "$database" create
  # Fails where the tables are there, which the next line then brings up to date; or says why it cannot.
  tool "$database" setup-schema --version 0.0 || true
  tool "$database" update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$part/versioned"
done
