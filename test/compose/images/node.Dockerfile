# In place of node:24-bookworm-slim.
FROM outreach-test/debian:12
COPY local/ /usr/local/
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && mkdir -p /usr/local/etc \
  && echo cafile=/etc/ssl/certs/ca-certificates.crt >/usr/local/etc/npmrc \
  && groupadd --gid 1000 node \
  && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
CMD ["node"]
