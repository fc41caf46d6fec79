# ---- Postfix: its configuration, its outgoing route and its tables ----

postfix_conf() {
  # The configuration names the table: without it, no mail would be taken.
  postfix_role_map
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
# What Postfix reports of itself is for root, not for the role mailbox that clients' mail comes to.
error_notice_recipient = root
smtpd_tls_chain_files = $TLS
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtp_tls_CApath = /etc/ssl/certs
$(way_out)
# What is put off is tried when it is about 1, 2, 4, 8, ... minutes old, and hourly in the end. After
# a day it goes back: a message must not come after the one that follows it up.
queue_run_delay = 60s
minimal_backoff_time = 60s
maximal_backoff_time = 1h
maximal_queue_lifetime = 1d
bounce_queue_lifetime = 1d
delay_warning_time = 0h
virtual_mailbox_domains = hash:/etc/postfix/outreach-domains
virtual_alias_maps = hash:/etc/postfix/outreach-roles
virtual_mailbox_maps = hash:/etc/postfix/outreach-mailboxes
virtual_transport = lmtp:unix:private/dovecot-lmtp
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_sender_login_maps = hash:/etc/postfix/outreach-mailboxes
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
# A limit that cannot be asked for (see login_limit) holds no message up.
smtpd_policy_service_default_action = DUNNO
smtpd_milters = inet:127.0.0.1:8891
non_smtpd_milters = \$smtpd_milters
# Mail that cannot be signed waits: unsigned mail would harm the domain.
milter_default_action = tempfail
END
  # The first Received line of a message that a mailbox submits names the client, which is one machine
  # for the mailboxes of all tenants. Recipients and filters are not told of it.
  put "$SUBMITTED" 644 root:root <<END
/^Received: from .*[[:space:]]by ${1//./[.]} \(Postfix\) with (ESMTP|UTF8SMTP)S?A id / IGNORE
END
  local before
  before=$(cat /etc/postfix/master.cf)
  postconf -M 'submitted/unix=submitted unix n - y - 0 cleanup'
  # Headers of messages within the message are its content.
  postconf -P submitted/unix/header_checks="regexp:$SUBMITTED" \
    submitted/unix/mime_header_checks= \
    submitted/unix/nested_header_checks=
  # One worker sends by all mailboxes of the host at once, a connection each. Some are left for others.
  postconf -M 'submissions/inet=submissions inet n - y - 240 smtpd'
  postconf -P submissions/inet/syslog_name=postfix/submissions \
    submissions/inet/cleanup_service_name=submitted \
    submissions/inet/smtpd_tls_wrappermode=yes \
    submissions/inet/smtpd_client_connection_count_limit=200 \
    submissions/inet/smtpd_sasl_auth_enable=yes \
    submissions/inet/smtpd_client_restrictions=permit_sasl_authenticated,reject \
    submissions/inet/smtpd_sender_restrictions=reject_sender_login_mismatch \
    submissions/inet/milter_macro_daemon_name=ORIGINATING
  postconf -M "limit/unix=limit unix - n n - 0 spawn user=outreach-limit \
    argv=$POLICY ${LOGIN_HOURLY_LIMIT:-300} $CACHE/limit/sent"
  # Not at RCPT: there the number of recipients is not known yet.
  postconf -P submissions/inet/smtpd_end_of_data_restrictions=check_policy_service,unix:private/limit
  [[ $before == "$(cat /etc/postfix/master.cf)" ]] || changed=yes
  [[ -e /etc/aliases ]] || put /etc/aliases 644 root:root <<<'postmaster: root'
  newaliases
}

# The outgoing route: the smarthost where there is one, else the exchangers of the recipients.
way_out() {
  local host port
  if [[ ! -s $SMARTHOST ]]; then
    echo 'smtp_tls_security_level = may'
    return
  fi
  read -r host port <"$SMARTHOST"
  cat <<END
relayhost = [$host]:$port
# It receives a password: over TLS only, and only with a certificate for its name.
smtp_tls_security_level = secure
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = texthash:$SMARTHOST_LOGIN
smtp_sasl_tls_security_options = noanonymous
END
}

# Who may receive, and (the same table) which login may send as whom.
postfix_maps() {
  each_domain | sed 's/$/ OK/' | put /etc/postfix/outreach-domains 644 root:root
  each_mailbox | sed 's/.*/& &/' | put /etc/postfix/outreach-mailboxes 644 root:root
  postfix_role_map
  compile_map outreach-domains
  compile_map outreach-mailboxes
}

# RFC 5321, 4.5.1: <postmaster> without a domain is the host's, and people read it at the host's own domain, or
# at another one that is here. Without either it goes to root, by the aliases.
postfix_role_map() {
  local host
  host=$(cat "$STATE/hostname")
  each_mailbox | awk -F@ -v host="$host" '
    $1 == "postmaster" || $1 == "abuse" { if (!($1 in to) || "mail." $2 == host) to[$1] = $0 }
    END { for (name in to) print name "@" host " " to[name] }
  ' | sort | put /etc/postfix/outreach-roles 644 root:root
  compile_map outreach-roles
}

# Compiled under another name and moved, so that a lookup meets either the old table or the new one.
compile_map() {
  local map=/etc/postfix/$1
  cp -p "$map" "$map.new"
  postmap "hash:$map.new"
  mv -f "$map.new.db" "$map.db"
  rm -f "$map.new"
}

