#!/bin/sh
# Makes the namespace and the search attributes that the product needs. It may run at any time.
set -eu

retention=30d
patience=60

tries=0
until temporal operator cluster health; do
  tries=$((tries + 1))
  [ "$tries" -lt "$patience" ] || exit 1
  sleep 1
done

temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$retention"

# Every part of the server knows a new namespace some seconds later.
for name in OpsState OpsStep TenantId ResourceId; do
  tries=0
  until temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" | grep -qw "$name"; do
    temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" \
      --name "$name" --type Keyword || true
    tries=$((tries + 1))
    [ "$tries" -lt "$patience" ] || exit 1
    sleep 1
  done
done
