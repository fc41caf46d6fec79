# In place of temporalio/server.
FROM outreach-test/debian:12
RUN groupadd --gid 1000 temporal && useradd --uid 1000 --gid temporal --create-home temporal
COPY temporal-server /usr/local/bin/
COPY temporal-entrypoint.sh /etc/temporal/entrypoint.sh
WORKDIR /etc/temporal
USER temporal
CMD ["/bin/sh", "/etc/temporal/entrypoint.sh"]
