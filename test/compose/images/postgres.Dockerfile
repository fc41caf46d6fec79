# In place of postgres:18-bookworm.
FROM outreach-test/debian:12
COPY native/ /usr/lib/postgresql/18/
COPY clients/ /usr/lib/postgresql/clients/
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
# Where programs of Debian's packages look for the socket by themselves.
ENV PGHOST=/var/run/postgresql PATH=/usr/lib/postgresql/clients/bin:/usr/lib/postgresql/18/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  LANG=C.UTF-8 PGDATA=/var/lib/postgresql/18/docker
RUN groupadd --gid 999 postgres \
  && useradd --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
  && install --directory --owner postgres --group postgres --mode 1777 \
    /var/lib/postgresql /var/run/postgresql \
  && chmod 755 /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
