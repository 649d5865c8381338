# Node and PostgreSQL are optional packages of ours, for machines that have neither; here the image and DATABASE_URL bring them.
FROM node:24
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/relink-node.mjs scripts/
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY . .
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 3000
# Not through npm: signals reach the server itself.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1536", "cli/main.mjs", "start"]
