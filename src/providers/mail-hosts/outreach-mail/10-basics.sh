#!/bin/bash
# Turns a Debian 12 server into a mail host (Postfix, Dovecot, OpenDKIM) and manages what is on it.
# Every verb may be repeated. Exit: 0 done, 1 failed (one line on stderr), 2 wrong usage,
# 3 the mailbox's domain is not on this host, 4 the certificate authority refuses. Details go to /var/log/outreach-mail.log.
set -Eeuo pipefail
# `... | put FILE` runs put in this shell, where it can set `changed`.
shopt -s lastpipe
umask 077
export LC_ALL=C DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin

# ACME_DIRECTORY (where certificates come from) and optionally PROBE_HOSTS (see probe_outbound25) and
# LOGIN_HOURLY_LIMIT (recipients an hour that one login may send to; 0: as many as it likes).
readonly CONF=/etc/outreach-mail.conf
readonly STATE=/etc/outreach-mail
readonly CACHE=/var/lib/outreach-mail
readonly LOG=/var/log/outreach-mail.log
# Private key and certificate chain in one file: both change in one step.
readonly TLS=$STATE/tls.pem
readonly USERS=/etc/dovecot/outreach-users
readonly DKIM=/etc/opendkim
readonly MAIL=/var/vmail
readonly LOGIN_KEYS=/root/.ssh/authorized_keys
# Host and port of the smarthost, and what Postfix logs in with there: the one file with its password.
readonly SMARTHOST=$STATE/smarthost
readonly SMARTHOST_LOGIN=/etc/postfix/outreach-smarthost
# Headers that messages from mailboxes of this host do not keep.
readonly SUBMITTED=/etc/postfix/outreach-submitted
readonly PACKAGES=(postfix libsasl2-modules dovecot-core dovecot-imapd dovecot-lmtpd opendkim certbot openssl nginx-light fail2ban python3-systemd nftables unattended-upgrades)

# Addresses that have logged in with our key: never banned, whatever password was wrong.
readonly CALLERS=$CACHE/callers
readonly POLICY=/usr/local/lib/outreach-mail-limit

# What others have to reach: SSH, mail that comes in, HTTP-01 of the certificate authority, MTA-STS, submission,
# IMAP.
readonly PORTS=(22 25 80 443 465 993)
# Web sites, one a domain: only the policies of MTA-STS.
readonly SITES=/etc/nginx/sites-enabled

readonly LABEL='[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
readonly IS_NAME="^($LABEL\\.)+$LABEL\$"
readonly IS_SELECTOR="^$LABEL\$"
readonly IS_LOCAL_PART='^[a-z0-9_-]+(\.[a-z0-9_-]+)*$'

usage() {
  echo "usage: outreach-mail install HOSTNAME | certificate HOSTNAME |" \
    "add-domain DOMAIN SELECTOR <DKIM-KEY | del-domain DOMAIN |" \
    "set-mailbox ADDRESS <PASSWORD | del-mailbox ADDRESS |" \
    "set-smarthost HOST PORT <USER-AND-PASSWORD-LINES | del-smarthost |" \
    "allow-key <PUBLIC-KEY | remove-key <PUBLIC-KEY |" \
    "mta-sts DOMAIN testing|enforce | status" >&3
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

# control ACTION SERVICE: closes the lock and the caller's stderr, which a daemon would keep open.
control() {
  service "$2" "$1" >>"$LOG" 3>&- 9>&-
}

