# ---- smarthost: a relay through which all messages leave ----

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

# Messages that wait, perhaps because the old route was closed, take the new one at once.
use_way_out() {
  postfix_conf "$(cat "$STATE/hostname")"
  [[ -z $changed ]] && return
  rm -f "$CACHE/smarthost"
  control reload postfix
  postqueue -f >>"$LOG" 3>&- 9>&- || true
}

