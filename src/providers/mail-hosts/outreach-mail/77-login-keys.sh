# ---- login keys: who may log in as root by SSH ----

allow_key() {
  local key
  key=$(read_key)
  [[ -d ${LOGIN_KEYS%/*} ]] || mkdir -p -m 700 "${LOGIN_KEYS%/*}"
  { without_key "$key" && echo "$key outreach"; } | put "$LOGIN_KEYS" 600 root:root
}

# The last key is not removed: nobody could log in any more.
remove_key() {
  local key rest
  key=$(read_key)
  rest=$(without_key "$key")
  grep -qE '(ssh|ecdsa)-' <<<"$rest" || fail 1 "no other key may log in"
  put "$LOGIN_KEYS" 600 root:root <<<"$rest"
}

# Type and key, without the comment.
read_key() {
  local type key rest
  read -r type key rest || [[ -n ${key:-} ]] || fail 2 "no key on stdin"
  [[ $type == ssh-ed25519 && $key =~ ^[A-Za-z0-9+/]{40,}=*$ ]] || fail 2 "stdin is not a public key"
  echo "$type $key"
}

# Every line of the file but those of this key, whatever options are before it.
without_key() {
  if [[ -e $LOGIN_KEYS ]]; then awk -v key="$1" 'index($0, key) == 0' "$LOGIN_KEYS"; fi
}

