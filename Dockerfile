# One image for the API, the worker and the migrations; the command chooses.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# The stand-ins of docs/world.md, from their sources and with the packages of development.
FROM build AS world
ENV TZ=UTC
# A new volume there belongs to whom the folder belongs to.
RUN mkdir /trust && chown node:node /trust
USER node

# What is shipped. Each file has the time of the release: the same sources give the same layers.
FROM build AS shipped
ARG SOURCE_DATE_EPOCH=0
RUN npm prune --omit=dev \
  && rm -rf node_modules/.cache \
  && mkdir -p /out/packages/app /out/program/app \
  && cp -a node_modules /out/packages/app/ \
  && cp -a package.json dist /out/program/app/ \
  && find /out -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

FROM node:24-bookworm-slim
# V8 gets a pool by the number of cores, not four helpers on two of them, and glibc two arenas: see docs/deployment.md.
ENV NODE_ENV=production TZ=UTC MALLOC_ARENA_MAX=2 NODE_OPTIONS=--v8-pool-size=0
# Owned by root: a program cannot change itself.
COPY --from=shipped /out/packages/ /
COPY --from=shipped /out/program/ /
WORKDIR /app
USER node
EXPOSE 3000 9464 9465
CMD ["node", "dist/src/api.js"]
