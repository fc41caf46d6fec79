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

FROM build AS pruned
RUN npm prune --omit=dev

FROM node:24-bookworm-slim
# V8 gets a pool by the number of cores, not four helpers on two of them: see docs/deployment.md.
ENV NODE_ENV=production TZ=UTC NODE_OPTIONS=--v8-pool-size=0
WORKDIR /app
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=pruned --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
USER node
EXPOSE 3000 9464 9465
CMD ["node", "dist/src/api.js"]
