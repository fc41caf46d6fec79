# ---- main: which verb ----

main() {
  exec 3>&2
  [[ $EUID -eq 0 ]] || fail 1 "must run as root"
  exec 2>>"$LOG"
  trap 'echo "outreach-mail: failed at line $LINENO, see $LOG" >&3' ERR
  # shellcheck source=/dev/null
  [[ -e $CONF ]] && . "$CONF"
  mkdir -p "$STATE" "$CACHE"
  note_caller
  local call="${1:-} $#"
  # `status` changes nothing; the hook of certbot may run while `certificate` holds the lock.
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
    'allow-key 1') allow_key ;;
    'remove-key 1') remove_key ;;
    'mta-sts 3') mta_sts "$2" "$3" ;;
    'status 1') status ;;
    *) usage ;;
  esac
}

main "$@"
