# ---- install: packages, users, folders, and the configuration of all services ----

install() {
  need_name "$1"
  open_firewall
  install_packages
  only_our_sites
  id vmail >/dev/null || useradd --system --user-group --home-dir "$MAIL" --no-create-home \
    --shell /usr/sbin/nologin vmail
  mkdir -p "$MAIL" "$STATE/domains" "$CACHE" "$DKIM/keys" /etc/letsencrypt/renewal-hooks/deploy
  chown vmail:vmail "$MAIL"
  chown -R opendkim:opendkim "$DKIM"
  [[ -e $USERS ]] || put_users </dev/null
  self_signed "$1"
  echo "$1" | put "$STATE/hostname" 644 root:root
  echo "$1" | put /etc/mailname 644 root:root
  put /etc/letsencrypt/renewal-hooks/deploy/outreach-mail 755 root:root <<'END'
#!/bin/sh
exec /usr/local/sbin/outreach-mail deploy-certificate "$(basename "$RENEWED_LINEAGE")"
END
  changed=
  opendkim_conf
  dkim_tables
  restart_unless_fine opendkim 8891
  changed=
  watch_limit
  dovecot_conf
  restart_unless_fine dovecot 993
  upgrade_by_itself
  login_limit
  changed=
  postfix_maps
  postfix_conf "$1"
  restart_unless_fine postfix 25 465
  ban_guessers
}

# Some vendors' images drop all that comes in but SSH (Vultr's Debian, by ufw): nobody could read or write
# mail, and no certificate would come. A firewall that is off stays off.
open_firewall() {
  local port
  [[ $(ufw status 2>/dev/null) == 'Status: active'* ]] || return 0
  for port in "${PORTS[@]}"; do
    ufw allow "$port/tcp" >>"$LOG" || fail 1 "cannot open port $port in the firewall"
  done
}

# cloud-init has installed them; this repairs a first boot during which the mirror was away.
install_packages() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  apt-get update >>"$LOG" || true
  apt-get install -y --no-install-recommends "${missing[@]}" >>"$LOG" ||
    fail 1 "cannot install ${missing[*]}"
}

# restart_unless_fine SERVICE PORT...: restarts only what was changed or does not listen. A repeat must
# not cut the connections of users.
restart_unless_fine() {
  local service=$1 port tries
  shift
  for port in "$@"; do
    listens "$port" || changed=yes
  done
  [[ -z $changed ]] || control restart "$service"
  for port in "$@"; do
    for ((tries = 0; tries < 60; tries++)); do
      listens "$port" && break
      sleep 0.5
    done
    listens "$port" || fail 1 "$service does not listen on port $port"
  done
}

listens() {
  (exec 4<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

