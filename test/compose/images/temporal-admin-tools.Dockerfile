# In place of temporalio/admin-tools.
FROM outreach-test/debian:12
RUN groupadd --gid 1000 temporal && useradd --uid 1000 --gid temporal --create-home temporal
COPY temporal temporal-sql-tool /usr/local/bin/
COPY v12/ /etc/temporal/schema/postgresql/v12/
USER temporal
CMD ["sleep", "infinity"]
