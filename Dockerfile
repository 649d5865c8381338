# docs/guides/deploying.md#the-image
FROM node:24.21.0-slim AS dependencies
WORKDIR /app
# npm leaves out a workspace whose folder is not there, as the client.
COPY package.json package-lock.json .npmrc ./
COPY packages/postgres/package.json packages/postgres/
COPY packages/readers/package.json packages/readers/
COPY scripts/make-links.mjs scripts/
# npm can install Node 24 and PostgreSQL as optional packages, for machines that have neither. They are left out here: the
# image brings Node, and DATABASE_URL names the database.
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-slim
LABEL org.opencontainers.image.title="Contact Workspace" \
      org.opencontainers.image.description="Self-hosted server of the Contact Workspace REST API" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0
# So memory that was freed goes back to the system (docs/guides/self-hosting.md#systemd).
ENV GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=1048576:glibc.malloc.trim_threshold=8388608
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
# .dockerignore lists what of the repository comes along.
COPY . .
# A number and no name, because only of a number can Kubernetes tell that it is not root.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
# The image has no curl. A process without a gateway is asked at METRICS_PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Started without npm and without a shell, so that signals reach the server. It has handlers for them and starts no processes that
# somebody would have to wait for, so it needs no init (tini) before it.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1536", "cli/main.mjs", "start"]
