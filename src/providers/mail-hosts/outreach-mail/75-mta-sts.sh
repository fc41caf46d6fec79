
# ---- MTA-STS (RFC 8461): the policy by which others insist on TLS when they deliver to a domain ----

# mta_sts DOMAIN MODE: serves it at https://mta-sts.DOMAIN/.well-known/mta-sts.txt. Whoever announces it in DNS
# does so afterwards.
mta_sts() {
  local domain=$1 mode=$2 name=mta-sts.$1
  need_name "$domain"
  [[ $mode == @(testing|enforce) ]] || fail 2 "not a mode of MTA-STS"
  need_installed
  [[ -e $STATE/domains/$domain ]] || fail 3 "the domain is not on this host"
  open_firewall
  install_packages
  only_our_sites
  obtain_certificate "$name"
  changed=
  put "$SITES/outreach-$domain" 644 root:root <<END
server {
  listen 443 ssl;
  server_name $name;
  server_tokens off;
  access_log off;
  ssl_certificate /etc/letsencrypt/live/$name/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/$name/privkey.pem;
  default_type text/plain;
  location = /.well-known/mta-sts.txt {
    return 200 "version: STSv1\r\nmode: $mode\r\nmx: $(cat "$STATE/hostname")\r\nmax_age: 86400\r\n";
  }
  location / {
    return 404;
  }
}
END
  [[ -z $changed ]] || control reload nginx
}

no_mta_sts() {
  [[ -e $SITES/outreach-$1 ]] || return 0
  rm -f "$SITES/outreach-$1"
  control reload nginx
  certbot delete --non-interactive --cert-name "mta-sts.$1" >>"$LOG" 2>&1 || true
}

# Debian's own site takes port 80, which the certificate authority has to reach.
only_our_sites() {
  [[ -e $SITES/default ]] || return 0
  rm -f "$SITES/default"
  control restart nginx
}
