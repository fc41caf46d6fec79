# ---- status: what the host says of itself, as JSON ----

status() {
  local name=null domains mailboxes
  [[ -s $STATE/hostname ]] && name="\"$(cat "$STATE/hostname")\""
  domains=$(if [[ -d $STATE/domains ]]; then
    each_domain | while read -r domain; do
      printf '{"domain":"%s","selector":"%s"}\n' "$domain" "$(cat "$STATE/domains/$domain")"
    done
  fi | paste -s -d,)
  mailboxes=$(if [[ -e $USERS ]]; then each_mailbox | sed 's/.*/"&"/'; fi | paste -s -d,)
  # Both at once: a closed port is found out by a time-out of seconds.
  outbound25 >/dev/null &
  smarthost_json >/dev/null
  wait
  printf '{"hostName":%s,"domains":[%s],"mailboxes":[%s],"certificate":%s,"outbound25":"%s","smarthost":%s,' \
    "$name" "$domains" "$mailboxes" "$(certificate_json)" "$(outbound25)" "$(smarthost_json)"
  printf '"program":"%s","signs":%s}\n' "$(sha256sum "$0" | cut -c 1-16)" "$(signs_json)"
}

# What may be wrong with the host itself; null before it is installed.
signs_json() {
  local reboot=false
  if [[ ! -s $STATE/hostname ]]; then
    echo null
    return
  fi
  [[ ! -e /run/reboot-required ]] || reboot=true
  printf '{"queued":%s,"diskUsedPercent":%s,"stoppedServices":[%s],"closedPorts":[%s],"needsReboot":%s}' \
    "$(queued)" "$(disk_used)" "$(stopped_services)" "$(closed_ports)" "$reboot"
}

# A line for each message; none where Postfix is down.
queued() {
  { postqueue -j 3>&- || true; } | wc -l
}

# In percent of the blocks or of the inodes, whichever are fewer.
disk_used() {
  { df --output=pcent,ipcent / "$MAIL" || true; } | tr -c 0-9 '\n' | sort -n | tail -n 1
}

stopped_services() {
  local name
  for name in postfix dovecot opendkim fail2ban; do
    service "$name" status >/dev/null 3>&- || printf '"%s"\n' "$name"
  done | paste -s -d,
}

# By the list of sockets: a connection would wait for minutes where a firewall drops its packets.
closed_ports() {
  local port
  for port in 25 465 993; do
    [[ -n $(ss -Hltn "sport = :$port") ]] || echo "$port"
  done | paste -s -d,
}

# `null` while there is none, or only the self-signed one.
certificate_json() {
  local name expires
  if [[ ! -s $TLS || $(field subject_hash) == "$(field issuer_hash)" ]]; then
    echo null
    return
  fi
  name=$(field ext subjectAltName | grep -o 'DNS:[^, ]*' | head -n 1 | cut -d: -f2)
  expires=$(field enddate | cut -d= -f2)
  printf '{"hostName":"%s","expiresAt":"%s"}' "$name" \
    "$(date -u -d "$expires" +%Y-%m-%dT%H:%M:%SZ)"
}

# field NAME [VALUE]: something about the certificate.
field() {
  openssl x509 -noout "-$1" "${@:2}" -in "$TLS"
}

outbound25() {
  cached outbound25 probe_outbound25
}

smarthost_json() {
  local host port
  if [[ ! -s $SMARTHOST ]]; then
    echo null
    return
  fi
  read -r host port <"$SMARTHOST"
  printf '{"host":"%s","port":%s,"state":"%s"}' "$host" "$port" "$(smarthost_state "$host" "$port")"
}

# `refused`: the port is open, but messages wait because of the login, the certificate or no TLS at all.
smarthost_state() {
  if postqueue -j 3>&- | grep -E '"delay_reason": "[^"]*(SASL|TLS|certificate)' >/dev/null; then
    echo refused
  else
    cached smarthost probe "$1" "$2"
  fi
}

# cached NAME COMMAND...: the last output of the command, for ten minutes.
cached() {
  local file=$CACHE/$1
  mkdir -p "$CACHE"
  if [[ -z $(find "$file" -mmin -10 2>/dev/null) ]]; then
    "${@:2}" | put "$file" 644 root:root
  fi
  cat "$file"
}

probe_outbound25() {
  local host found result=unknown
  for host in ${PROBE_HOSTS:-gmail-smtp-in.l.google.com mx-aol.mail.gm0.yahoodns.net}; do
    found=$(probe "$host" 25)
    [[ $found == unknown ]] || result=$found
    [[ $found != open ]] || break
  done
  echo "$result"
}

# probe HOST PORT: VPS providers drop outgoing port 25 silently, so silence is `blocked`. A refused
# connection says nothing about the provider: `unknown`.
probe() {
  local address code=0
  address=$(getent ahostsv4 "$1" | awk 'NR == 1 { print $1 }') || true
  if [[ -z $address ]]; then
    echo unknown
    return
  fi
  # shellcheck disable=SC2016 # the inner shell expands it
  timeout 4 bash -c 'exec 4<>"/dev/tcp/$1/$2"' probe "$address" "$2" 2>/dev/null || code=$?
  case $code in
    0) echo open ;;
    124) echo blocked ;;
    *) echo unknown ;;
  esac
}

