# In place of temporalio/ui.
FROM outreach-test/debian:12
RUN groupadd --gid 1000 temporal && useradd --uid 1000 --gid temporal --create-home temporal
WORKDIR /home/ui-server
COPY ui/server ./ui-server
COPY ui/docker.yaml ./config/docker.yaml
USER temporal
EXPOSE 8080
ENTRYPOINT ["./ui-server", "--env", "docker", "start"]
