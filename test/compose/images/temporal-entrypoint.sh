#!/bin/sh
# The server has its template of settings within it and reads the environment. Who listens on every address
# has to say which of them others shall use.
set -eu
if [ "${BIND_ON_IP:-}" = 0.0.0.0 ]; then
  export TEMPORAL_BROADCAST_ADDRESS="${TEMPORAL_BROADCAST_ADDRESS:-$(hostname --ip-address | cut -d ' ' -f 1)}"
fi
exec temporal-server start
