# ---- domains, and OpenDKIM, which signs for them ----

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
  # A message that is being signed right now may still need the key of before.
  [[ -z $changed ]] || sleep 5
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
  no_mta_sts "$1"
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

