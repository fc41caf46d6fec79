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

