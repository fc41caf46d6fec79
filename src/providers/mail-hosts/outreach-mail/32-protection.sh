# ---- protection: bans of those who guess passwords, a limit for each login, security upgrades ----

# Workers that log in by SSH also log in to mailboxes, perhaps with a password of before: they are not banned.
note_caller() {
  local address=${SSH_CLIENT:-}
  address=${address%% *}
  [[ -n $address ]] || return 0
  touch "$CALLERS"
  grep -qxF "$address" "$CALLERS" || echo "$address" >>"$CALLERS"
}

# Debian writes no log files without rsyslog: the journal is read, in which Postfix has another unit than the filter
# of fail2ban looks for.
ban_guessers() {
  changed=
  put /etc/fail2ban/jail.d/outreach.conf 644 root:root <<END
[DEFAULT]
backend = systemd
banaction = nftables-multiport
banaction_allports = nftables-allports
ignoreself = true
ignorecommand = /usr/bin/grep -qxF <ip> $CALLERS
findtime = 10m
maxretry = 10
bantime = 1h
[sshd]
enabled = true
[dovecot]
enabled = true
port = 465,993
[postfix-sasl]
enabled = true
port = 25,465
filter = postfix[mode=auth, journalmatch="_SYSTEMD_UNIT=postfix@-.service"]
END
  touch "$CALLERS"
  service fail2ban status >/dev/null 2>&1 || changed=yes
  [[ -z $changed ]] || control restart fail2ban
}

# Security alone, and no reboot by itself: what needs one is told by `status`.
upgrade_by_itself() {
  put /etc/apt/apt.conf.d/20auto-upgrades 644 root:root <<'END'
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
END
  put /etc/apt/apt.conf.d/52outreach 644 root:root <<'END'
#clear Unattended-Upgrade::Origins-Pattern;
Unattended-Upgrade::Origins-Pattern { "origin=Debian,codename=${distro_codename}-security,label=Debian-Security"; };
Unattended-Upgrade::Automatic-Reboot "false";
END
}

# A mailbox whose password was stolen must not send for a night: Postfix asks this about each message, and one
# beyond the limit is put off. Without an answer Postfix takes the message.
login_limit() {
  id outreach-limit >/dev/null 2>&1 || useradd --system --home-dir "$CACHE/limit" --no-create-home \
    --shell /usr/sbin/nologin outreach-limit
  mkdir -p "$CACHE/limit"
  chmod 755 "$CACHE"
  chown outreach-limit: "$CACHE/limit"
  chmod 700 "$CACHE/limit"
  put "$POLICY" 755 root:root <<'END'
#!/usr/bin/python3
"""Postfix's policy protocol: counts recipients of each login within the last hour."""
import sqlite3, sys, time

limit, path = int(sys.argv[1]), sys.argv[2]
db = sqlite3.connect(path, timeout=10, isolation_level=None)
db.execute("create table if not exists sent (login text, at real, recipients integer)")
db.execute("create index if not exists sent_login on sent (login, at)")


def answer(asked):
    login = asked.get("sasl_username", "").lower()
    if not login or limit == 0:
        return "DUNNO"
    now, recipients = time.time(), max(1, int(asked.get("recipient_count") or 1))
    db.execute("begin immediate")
    try:
        db.execute("delete from sent where at < ?", (now - 3600,))
        query = "select coalesce(sum(recipients), 0) from sent where login = ?"
        if db.execute(query, (login,)).fetchone()[0] + recipients > limit:
            return "450 4.7.1 This mailbox has sent too many messages within an hour"
        db.execute("insert into sent values (?, ?, ?)", (login, now, recipients))
        return "DUNNO"
    finally:
        db.execute("commit")


asked = {}
for line in sys.stdin:
    name, sign, value = line.rstrip("\n").partition("=")
    if sign:
        asked[name] = value
    else:
        print("action=" + answer(asked) + "\n", flush=True)
        asked = {}
END
}

