# ---- mailboxes: the users of Dovecot, and their maildirs ----

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

# Dovecot compares the size of the file and the second of its last change, once a second. A password
# that is changed twice within a second could stay unnoticed, and a login could still be refused
# although the call has ended: so the time of change always grows, and the call waits.
put_users() {
  local before
  before=$(stat -c %Y "$USERS" || echo 0)
  put "$USERS" 640 root:dovecot
  [[ $(stat -c %Y "$USERS") -gt $before ]] || touch -d "@$((before + 1))" "$USERS"
  sleep 1
}

# end_sessions MASK: ends the IMAP sessions of these users. doveadm fails when there are none, and
# when Dovecot does not run; both are fine.
end_sessions() {
  doveadm kick "$1" >>"$LOG" || true
}

without_mailbox() {
  awk -F: -v address="$1" '$1 != address' "$USERS"
}

each_mailbox() {
  cut -d: -f1 "$USERS" | sort
}

