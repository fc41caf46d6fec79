# ---- certificates: self-signed at first, then those of the ACME authority ----

# A self-signed certificate until the real one is there: the services need one to start.
self_signed() {
  [[ -s $TLS ]] && return
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
    -subj "/CN=$1" -keyout "$STATE/new-key.pem" -out "$STATE/new-cert.pem"
  cat "$STATE/new-key.pem" "$STATE/new-cert.pem" | put "$TLS" 600 root:root
  rm -f "$STATE/new-key.pem" "$STATE/new-cert.pem"
}

certificate() {
  need_name "$1"
  [[ -n ${ACME_DIRECTORY:-} ]] || fail 1 "ACME_DIRECTORY is not set in $CONF"
  local output
  if ! output=$(certbot certonly --standalone --non-interactive --agree-tos \
    --register-unsafely-without-email --server "$ACME_DIRECTORY" --key-type ecdsa \
    --cert-name "$1" --domain "$1" --keep-until-expiring 2>&1); then
    echo "$output" >>"$LOG"
    fail 1 "no certificate for $1: $(reason_of_certbot <<<"$output")"
  fi
  echo "$output" >>"$LOG"
  deploy_certificate "$1"
}

# What the authority said, where certbot repeats it, else the last line of certbot; one line.
reason_of_certbot() {
  awk '/^ *Detail:/ { sub(/^ *Detail: */, ""); detail = $0 }
    NF && !/^(Ask for help|Some challenges have failed)/ { last = $0 }
    END { print substr(detail != "" ? detail : last, 1, 300) }'
}

# Called by `certificate`, and by certbot's timer after each renewal.
deploy_certificate() {
  local live=/etc/letsencrypt/live/$1
  changed=
  cat "$live/privkey.pem" "$live/fullchain.pem" | put "$TLS" 600 root:root
  [[ -z $changed ]] && return
  control reload postfix
  control reload dovecot
}

