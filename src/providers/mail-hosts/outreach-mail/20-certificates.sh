# ---- certificates: self-signed at first, then those of the ACME authority ----

# A self-signed certificate until the real one is there: the services need one to start.
self_signed() {
  [[ -s $TLS ]] && return
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
    -subj "/CN=$1" -keyout "$STATE/new-key.pem" -out "$STATE/new-cert.pem"
  cat "$STATE/new-key.pem" "$STATE/new-cert.pem" | put "$TLS" 600 root:root
  rm -f "$STATE/new-key.pem" "$STATE/new-cert.pem"
}

# Exit 4 with `(TYPE)` where the authority refuses, in its own words (RFC 8555, 6.7): dns, unauthorized,
# connection, caa, rateLimited.
certificate() {
  need_name "$1"
  obtain_certificate "$1"
  deploy_certificate "$1"
}

obtain_certificate() {
  [[ -n ${ACME_DIRECTORY:-} ]] || fail 1 "ACME_DIRECTORY is not set in $CONF"
  local output type
  need_patience "$1"
  if ! output=$(certbot certonly --standalone --non-interactive --agree-tos \
    --register-unsafely-without-email --server "$ACME_DIRECTORY" --key-type ecdsa \
    --cert-name "$1" --domain "$1" --keep-until-expiring 2>&1); then
    echo "$output" >>"$LOG"
    type=$(type_of_certbot <<<"$output")
    [[ $type != @(dns|unauthorized|connection|caa) ]] || date +%s >>"$CACHE/validations-$1"
    [[ -n $type ]] && fail 4 "no certificate for $1 ($type): $(reason_of_certbot <<<"$output")"
    fail 1 "no certificate for $1: $(reason_of_certbot <<<"$output")"
  fi
  rm -f "$CACHE/validations-$1"
  echo "$output" >>"$LOG"
}

# Let's Encrypt takes five failed validations an hour of a name and account, then refuses the sixth and all
# others: the fourth is our last one, so that an hour's wait is enough, and a person may try once.
need_patience() {
  local now times
  now=$(date +%s)
  mkdir -p "$CACHE"
  touch "$CACHE/validations-$1"
  times=$(awk -v since=$((now - 3600)) '$1 > since' "$CACHE/validations-$1")
  printf '%s\n' "$times" | sed '/^$/d' | put "$CACHE/validations-$1" 644 root:root
  [[ $(wc -l <"$CACHE/validations-$1") -lt 4 ]] && return
  now=$(date -u -d "@$(($(head -n 1 "$CACHE/validations-$1") + 3600))" '+%Y-%m-%d %H:%M:%S UTC')
  fail 4 "no certificate for $1 (rateLimited): four validations failed within an hour, retry after $now"
}

# The authority's type of problem, where certbot shows one. It has its own words for a limit.
type_of_certbot() {
  awk '/^ *Type: / { type = $2 }
    /too many requests of a given type|:error:rateLimited|too many (failed|certificates|new orders)/ { type = "rateLimited" }
    END { print type }'
}

# What the authority said, where certbot repeats it, else the last line of certbot; one line.
reason_of_certbot() {
  awk '/^ *Detail:/ { sub(/^ *Detail: */, ""); detail = $0 }
    / :: / && !detail { sub(/^.* :: /, ""); detail = $0 }
    NF && !/^(Ask for help|Some challenges have failed)/ { last = $0 }
    END { print substr(detail != "" ? detail : last, 1, 300) }'
}

# Called by `certificate`, and by certbot's timer after each renewal.
deploy_certificate() {
  local live=/etc/letsencrypt/live/$1
  if [[ $1 == mta-sts.* ]]; then
    control reload nginx
    return
  fi
  changed=
  cat "$live/privkey.pem" "$live/fullchain.pem" | put "$TLS" 600 root:root
  [[ -z $changed ]] && return
  control reload postfix
  control reload dovecot
}

