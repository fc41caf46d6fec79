# ---- Dovecot: its configuration ----

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
# Each mailbox is watched by a connection that lasts, and a host may have hundreds. A login process goes on carrying
# the TLS of a session: one for each, as is Dovecot's default, would be 100 in all.
default_client_limit = 4000
service imap-login {
  service_count = 0
  process_min_avail = 2
  process_limit = 2
  client_limit = 1500
  vsz_limit = 512M
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = 993
    ssl = yes
  }
}
service imap {
  process_limit = 2000
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

# Each connection that waits for news (IDLE) has an inotify instance, and all are of the user vmail: beyond the kernel's
# 128 nobody would hear of new mail.
watch_limit() {
  local now=/proc/sys/fs/inotify/max_user_instances
  mkdir -p /etc/sysctl.d
  put /etc/sysctl.d/60-outreach-mail.conf 644 root:root <<'END'
fs.inotify.max_user_instances = 4096
END
  # A container may not set it: its owner has to.
  (($(<"$now") >= 4096)) || echo 4096 2>>"$LOG" >"$now" || true
}
