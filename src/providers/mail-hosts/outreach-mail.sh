#!/bin/bash
# Turns a Debian 12 server into a mail host (Postfix, Dovecot, OpenDKIM) and manages what is on it.
# Every verb may be repeated. Exit: 0 done, 1 failed (one line on stderr), 2 wrong usage,
# 3 the mailbox's domain is not on this host. Details go to /var/log/outreach-mail.log.
set -Eeuo pipefail
# `... | put FILE` runs put in this shell, where it can set `changed`.
shopt -s lastpipe
umask 077
export LC_ALL=C DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin

# ACME_DIRECTORY (where certificates come from) and optionally PROBE_HOSTS (see probe_outbound25).
readonly CONF=/etc/outreach-mail.conf
readonly STATE=/etc/outreach-mail
readonly CACHE=/var/lib/outreach-mail
readonly LOG=/var/log/outreach-mail.log
# Private key and certificate chain in one file, so that both change in one step.
readonly TLS=$STATE/tls.pem
readonly USERS=/etc/dovecot/outreach-users
readonly DKIM=/etc/opendkim
readonly MAIL=/var/vmail
# Host and port of the smarthost, and what Postfix logs in with there: the one file with its password.
readonly SMARTHOST=$STATE/smarthost
readonly SMARTHOST_LOGIN=/etc/postfix/outreach-smarthost
# Headers that letters from mailboxes of this host do not keep.
readonly SUBMITTED=/etc/postfix/outreach-submitted
readonly PACKAGES=(postfix libsasl2-modules dovecot-core dovecot-imapd dovecot-lmtpd opendkim certbot openssl)

readonly LABEL='[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
readonly IS_NAME="^($LABEL\\.)+$LABEL\$"
readonly IS_SELECTOR="^$LABEL\$"
readonly IS_LOCAL_PART='^[a-z0-9_-]+(\.[a-z0-9_-]+)*$'

usage() {
  echo "usage: outreach-mail install HOSTNAME | certificate HOSTNAME |" \
    "add-domain DOMAIN SELECTOR <DKIM-KEY | del-domain DOMAIN |" \
    "set-mailbox ADDRESS <PASSWORD | del-mailbox ADDRESS |" \
    "set-smarthost HOST PORT <USER-AND-PASSWORD-LINES | del-smarthost | status" >&3
  exit 2
}

# fail EXIT-CODE MESSAGE
fail() {
  echo "outreach-mail: $2" >&3
  exit "$1"
}

need_name() {
  [[ ${#1} -le 253 && $1 =~ $IS_NAME ]] || fail 2 "not a host or domain name"
}

need_address() {
  [[ $1 == *@* && ${1%@*} =~ $IS_LOCAL_PART && ${#1} -le 254 ]] || fail 2 "not a mailbox address"
  need_name "${1#*@}"
}

need_installed() {
  [[ -s $STATE/hostname ]] || fail 1 "the mail server is not installed"
}

# put PATH MODE OWNER:GROUP: writes stdin in one step; sets `changed` when the content is new.
changed=
put() {
  local new
  new=$(mktemp "${1%/*}/.new.XXXXXX")
  cat >"$new"
  chmod "$2" "$new"
  chown "$3" "$new"
  cmp -s "$new" "$1" || changed=yes
  mv -f "$new" "$1"
}

# control ACTION SERVICE: the lock and the caller's stderr must not live on in a daemon.
control() {
  service "$2" "$1" >>"$LOG" 3>&- 9>&-
}

# ---- certificates -----------------------------------------------------------------------------

# A certificate of our own until the real one is there: the services need one to start.
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

# What the CA said, where certbot repeats it, else certbot's last words; one line.
reason_of_certbot() {
  awk '/^ *Detail:/ { sub(/^ *Detail: */, ""); detail = $0 }
    NF && !/^(Ask for help|Some challenges have failed)/ { last = $0 }
    END { print substr(detail != "" ? detail : last, 1, 300) }'
}

# Called after an issue here and by certbot's own timer after each renewal.
deploy_certificate() {
  local live=/etc/letsencrypt/live/$1
  changed=
  cat "$live/privkey.pem" "$live/fullchain.pem" | put "$TLS" 600 root:root
  [[ -z $changed ]] && return
  control reload postfix
  control reload dovecot
}

# ---- installation -----------------------------------------------------------------------------

install() {
  need_name "$1"
  install_packages
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
  dovecot_conf
  restart_unless_fine dovecot 993
  changed=
  postfix_maps
  postfix_conf "$1"
  restart_unless_fine postfix 25 465
}

# A cloud image has them from cloud-init; this heals a first boot whose mirror was away.
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

# restart_unless_fine SERVICE PORT...: a repeat must not cut the connections of users.
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

postfix_conf() {
  put /etc/postfix/main.cf 644 root:root <<END
compatibility_level = 3.6
myhostname = $1
myorigin = \$myhostname
mydestination = \$myhostname, localhost
mynetworks = 127.0.0.0/8 [::1]/128
inet_interfaces = all
# The PTR record is that of the IPv4 address; mail sent by IPv6 would have none.
inet_protocols = ipv4
recipient_delimiter = +
mailbox_size_limit = 0
message_size_limit = 26214400
biff = no
append_dot_mydomain = no
readme_directory = no
disable_vrfy_command = yes
smtpd_helo_required = yes
smtpd_banner = \$myhostname ESMTP
alias_maps = hash:/etc/aliases
alias_database = hash:/etc/aliases
smtpd_tls_chain_files = $TLS
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtp_tls_CApath = /etc/ssl/certs
$(way_out)
# What is put off is tried when it is about 1, 2, 4, 8, ... minutes old, and hourly in the end. After
# a day it goes back: a letter must not come after the one that follows it up.
queue_run_delay = 60s
minimal_backoff_time = 60s
maximal_backoff_time = 1h
maximal_queue_lifetime = 1d
bounce_queue_lifetime = 1d
delay_warning_time = 0h
virtual_mailbox_domains = hash:/etc/postfix/outreach-domains
virtual_mailbox_maps = hash:/etc/postfix/outreach-mailboxes
virtual_transport = lmtp:unix:private/dovecot-lmtp
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_sender_login_maps = hash:/etc/postfix/outreach-mailboxes
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_milters = inet:127.0.0.1:8891
non_smtpd_milters = \$smtpd_milters
# Mail that cannot be signed waits: unsigned mail would harm the domain.
milter_default_action = tempfail
END
  # The first hop of a letter that a mailbox submits names the client, which is the same machine for
  # the mailboxes of all: recipients and filters are told of it no more than they are by others.
  put "$SUBMITTED" 644 root:root <<END
/^Received: from .*[[:space:]]by ${1//./[.]} \(Postfix\) with (ESMTP|UTF8SMTP)S?A id / IGNORE
END
  local before
  before=$(cat /etc/postfix/master.cf)
  postconf -M 'submitted/unix=submitted unix n - y - 0 cleanup'
  # Headers of letters within the letter are its content.
  postconf -P submitted/unix/header_checks="regexp:$SUBMITTED" \
    submitted/unix/mime_header_checks= \
    submitted/unix/nested_header_checks=
  postconf -M 'submissions/inet=submissions inet n - y - - smtpd'
  postconf -P submissions/inet/syslog_name=postfix/submissions \
    submissions/inet/cleanup_service_name=submitted \
    submissions/inet/smtpd_tls_wrappermode=yes \
    submissions/inet/smtpd_sasl_auth_enable=yes \
    submissions/inet/smtpd_client_restrictions=permit_sasl_authenticated,reject \
    submissions/inet/smtpd_sender_restrictions=reject_sender_login_mismatch \
    submissions/inet/milter_macro_daemon_name=ORIGINATING
  [[ $before == "$(cat /etc/postfix/master.cf)" ]] || changed=yes
  [[ -e /etc/aliases ]] || put /etc/aliases 644 root:root <<<'postmaster: root'
  newaliases
}

# By the smarthost where there is one, else to the exchangers of the recipients.
way_out() {
  local host port
  if [[ ! -s $SMARTHOST ]]; then
    echo 'smtp_tls_security_level = may'
    return
  fi
  read -r host port <"$SMARTHOST"
  cat <<END
relayhost = [$host]:$port
# It is told a password: by TLS only, and with a certificate for its name.
smtp_tls_security_level = secure
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = texthash:$SMARTHOST_LOGIN
smtp_sasl_tls_security_options = noanonymous
END
}

dovecot_conf() {
  put /etc/dovecot/dovecot.conf 644 root:root <<END
protocols = imap lmtp
listen = *
ssl = required
ssl_cert = <$TLS
ssl_key = <$TLS
ssl_min_protocol = TLSv1.2
disable_plaintext_auth = yes
auth_mechanisms = plain login
mail_location = maildir:~/Maildir
first_valid_uid = 100
passdb {
  driver = passwd-file
  args = scheme=BLF-CRYPT username_format=%Lu $USERS
}
userdb {
  driver = static
  args = uid=vmail gid=vmail home=$MAIL/%Ld/%Ln
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
  mailbox Sent {
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Junk {
    special_use = \\Junk
    auto = subscribe
  }
  mailbox Trash {
    special_use = \\Trash
    auto = subscribe
  }
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = 993
    ssl = yes
  }
}
service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    mode = 0600
    user = postfix
    group = postfix
  }
}
service auth {
  unix_listener /var/spool/postfix/private/auth {
    mode = 0660
    user = postfix
    group = postfix
  }
}
END
}

opendkim_conf() {
  put /etc/opendkim.conf 644 root:root <<END
Syslog yes
UMask 007
UserID opendkim
PidFile /run/opendkim/opendkim.pid
Socket inet:8891@127.0.0.1
Mode s
Canonicalization relaxed/simple
OversignHeaders From
# RFC 8058: both List-Unsubscribe fields are signed (the first one is so by default).
SignHeaders *,+list-unsubscribe-post
KeyTable $DKIM/outreach-keys
SigningTable refile:$DKIM/outreach-signers
END
}

# ---- domains ----------------------------------------------------------------------------------

add_domain() {
  local domain=$1 selector=$2 key
  need_name "$domain"
  [[ $selector =~ $IS_SELECTOR ]] || fail 2 "not a selector"
  key=$(cat)
  openssl pkey -noout <<<"$key" || fail 2 "stdin is not a private key"
  mkdir -p "$DKIM/keys/$domain"
  chown opendkim:opendkim "$DKIM/keys/$domain"
  changed=
  put "$DKIM/keys/$domain/$selector.private" 600 opendkim:opendkim <<<"$key"
  put "$STATE/domains/$domain" 644 root:root <<<"$selector"
  dkim_tables
  postfix_maps
  reload_if_changed
  find "$DKIM/keys/$domain" -type f ! -name "$selector.private" -delete
}

del_domain() {
  need_name "$1"
  changed=
  rm -f "$STATE/domains/$1"
  awk -F: -v ending="@$1" \
    'substr($1, length($1) - length(ending) + 1) != ending' "$USERS" | put_users
  dkim_tables
  postfix_maps
  reload_if_changed
  end_sessions "*@$1"
  rm -rf "${DKIM:?}/keys/$1" "${MAIL:?}/$1"
}

# OpenDKIM reads its tables at start; Postfix would notice new domains only after a while.
reload_if_changed() {
  [[ -z $changed ]] && return
  control reload opendkim
  control reload postfix
}

each_domain() {
  find "$STATE/domains" -type f ! -name '.*' -printf '%f\n' | sort
}

dkim_tables() {
  local domain selector keys='' signers=''
  while read -r domain; do
    read -r selector <"$STATE/domains/$domain"
    keys+="$selector._domainkey.$domain $domain:$selector:$DKIM/keys/$domain/$selector.private"$'\n'
    signers+="*@$domain $selector._domainkey.$domain"$'\n'
  done < <(each_domain)
  printf '%s' "$keys" | put "$DKIM/outreach-keys" 600 opendkim:opendkim
  printf '%s' "$signers" | put "$DKIM/outreach-signers" 600 opendkim:opendkim
}

# ---- mailboxes --------------------------------------------------------------------------------

set_mailbox() {
  local address=$1 password hash
  need_address "$address"
  [[ -e $STATE/domains/${address#*@} ]] || fail 3 "the domain of this mailbox is not on this host"
  IFS= read -r password || [[ -n $password ]] || fail 2 "no password on stdin"
  # The password goes in on stdin (asked twice): a command line can be read by everybody.
  hash=$(doveadm pw -s BLF-CRYPT <<<"$password"$'\n'"$password" | tail -n 1)
  [[ $hash == *'{BLF-CRYPT}'* ]] || fail 1 "the password could not be hashed"
  {
    without_mailbox "$address"
    echo "$address:{BLF-CRYPT}${hash#*\{BLF-CRYPT\}}::::::"
  } | put_users
  postfix_maps
}

del_mailbox() {
  local address=$1
  need_address "$address"
  without_mailbox "$address" | put_users
  postfix_maps
  end_sessions "$address"
  rm -rf "${MAIL:?}/${address#*@}/${address%@*}"
}

# Dovecot reads the file again when its size or its second of change is another, and looks once a
# second: a new password in the second of the old one would stay unnoticed, and what is said to be
# done could still be refused.
put_users() {
  local before
  before=$(stat -c %Y "$USERS" || echo 0)
  put "$USERS" 640 root:dovecot
  [[ $(stat -c %Y "$USERS") -gt $before ]] || touch -d "@$((before + 1))" "$USERS"
  sleep 1
}

# end_sessions MASK: whoever is logged in by IMAP is no longer. Its exit code is not 0 when there is
# nobody; without Dovecot there is nobody either.
end_sessions() {
  doveadm kick "$1" >>"$LOG" || true
}

without_mailbox() {
  awk -F: -v address="$1" '$1 != address' "$USERS"
}

each_mailbox() {
  cut -d: -f1 "$USERS" | sort
}

# Who may receive, and (the same table) which login may send as whom.
postfix_maps() {
  each_domain | sed 's/$/ OK/' | put /etc/postfix/outreach-domains 644 root:root
  each_mailbox | sed 's/.*/& &/' | put /etc/postfix/outreach-mailboxes 644 root:root
  compile_map outreach-domains
  compile_map outreach-mailboxes
}

# Compiled aside and moved, so that a lookup meets the old table or the new one.
compile_map() {
  local map=/etc/postfix/$1
  cp -p "$map" "$map.new"
  postmap "hash:$map.new"
  mv -f "$map.new.db" "$map.db"
  rm -f "$map.new"
}

# ---- smarthost --------------------------------------------------------------------------------

set_smarthost() {
  local host=$1 port=$2 user password
  need_installed
  need_name "$host"
  [[ $port =~ ^[1-9][0-9]{0,4}$ ]] || fail 2 "not a port"
  IFS= read -r user || fail 2 "no user and password on stdin"
  IFS= read -r password || [[ -n $password ]] || fail 2 "no user and password on stdin"
  [[ -n $user && $user != *:* ]] || fail 2 "not a user's name"
  changed=
  put "$SMARTHOST_LOGIN" 600 root:root <<<"[$host]:$port $user:$password"
  echo "$host $port" | put "$SMARTHOST" 644 root:root
  use_way_out
}

del_smarthost() {
  need_installed
  changed=
  rm -f "$SMARTHOST"
  use_way_out
  rm -f "$SMARTHOST_LOGIN"
}

# What waits, perhaps because the old way was closed, takes the new one at once.
use_way_out() {
  postfix_conf "$(cat "$STATE/hostname")"
  [[ -z $changed ]] && return
  rm -f "$CACHE/smarthost"
  control reload postfix
  postqueue -f >>"$LOG" 3>&- 9>&- || true
}

# ---- status -----------------------------------------------------------------------------------

status() {
  local name=null domains mailboxes
  [[ -s $STATE/hostname ]] && name="\"$(cat "$STATE/hostname")\""
  domains=$(if [[ -d $STATE/domains ]]; then
    each_domain | while read -r domain; do
      printf '{"domain":"%s","selector":"%s"}\n' "$domain" "$(cat "$STATE/domains/$domain")"
    done
  fi | paste -s -d,)
  mailboxes=$(if [[ -e $USERS ]]; then each_mailbox | sed 's/.*/"&"/'; fi | paste -s -d,)
  # Both at once: what is closed costs seconds to find out.
  outbound25 >/dev/null &
  smarthost_json >/dev/null
  wait
  printf '{"hostName":%s,"domains":[%s],"mailboxes":[%s],"certificate":%s,"outbound25":"%s","smarthost":%s}\n' \
    "$name" "$domains" "$mailboxes" "$(certificate_json)" "$(outbound25)" "$(smarthost_json)"
}

# `null` while there is none or only our own.
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

# `refused`: the port is open, but letters wait because of the login, the certificate or no TLS at all.
smarthost_state() {
  if postqueue -j 3>&- | grep -E '"delay_reason": "[^"]*(SASL|TLS|certificate)' >/dev/null; then
    echo refused
  else
    cached smarthost probe "$1" "$2"
  fi
}

# cached NAME COMMAND...: its last finding, for ten minutes.
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

# probe HOST PORT. VPS providers drop outgoing port 25 silently: silence is `blocked`, anything else
# but an open connection says nothing about it.
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

# ---- which verb -------------------------------------------------------------------------------

main() {
  exec 3>&2
  [[ $EUID -eq 0 ]] || fail 1 "must run as root"
  exec 2>>"$LOG"
  trap 'echo "outreach-mail: failed at line $LINENO, see $LOG" >&3' ERR
  # shellcheck source=/dev/null
  [[ -e $CONF ]] && . "$CONF"
  mkdir -p "$STATE"
  local call="${1:-} $#"
  # Looking needs no lock; the hook of certbot may run while `certificate` holds it.
  if [[ $call != 'status 1' && $call != 'deploy-certificate 2' ]]; then
    exec 9>/run/lock/outreach-mail
    flock -w 300 9 || fail 1 "another call is still at work"
  fi
  case $call in
    'install 2') install "$2" ;;
    'certificate 2') certificate "$2" ;;
    'deploy-certificate 2') deploy_certificate "$2" ;;
    'add-domain 3') add_domain "$2" "$3" ;;
    'del-domain 2') del_domain "$2" ;;
    'set-mailbox 2') set_mailbox "$2" ;;
    'del-mailbox 2') del_mailbox "$2" ;;
    'set-smarthost 3') set_smarthost "$2" "$3" ;;
    'del-smarthost 1') del_smarthost ;;
    'status 1') status ;;
    *) usage ;;
  esac
}

main "$@"
