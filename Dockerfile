# npm can install Node 24 and PostgreSQL as optional packages, for machines that have neither. They are left out here: the
# image brings Node, and DATABASE_URL names the database.
FROM node:24
ENV NODE_ENV=production HOST=0.0.0.0
# So memory that was freed goes back to the system (docs/guides/self-hosting.md#systemd).
ENV GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=1048576:glibc.malloc.trim_threshold=8388608
WORKDIR /app
# The client is a workspace, and npm leaves out a workspace whose folder is not there.
COPY package.json package-lock.json .npmrc ./
COPY scripts/relink-node.mjs scripts/
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY . .
# A number and no name, because only of a number can Kubernetes tell that it is not root.
USER 1000:1000
EXPOSE 3000
# Started without npm, so that signals reach the server directly.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1536", "cli/main.mjs", "start"]
