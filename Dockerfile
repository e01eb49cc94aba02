# The image of every process: the server by its command, a worker with `node dist/workers/main.js`, and `slotkey` for
# commands. The base has the version of Node on which everything is tested, the one of the npm package `node`.
ARG BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts, for one of them fetches a second Node (120 MB).
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY package package
COPY src src
COPY workers workers
# JavaScript takes less memory than TypeScript, and starts sooner. The image of an empty database is too large for the
# package alone. Then what only the build needs goes.
RUN node package/bundle.ts \
  && cp src/foundation/database/embedded/EmptyDatabase.tar.br dist \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE}
WORKDIR /app
COPY package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Nothing but /data belongs to the user of the processes: the rest of the file system can be read-only.
# A checkout may be closed to others, and its files keep their modes.
RUN chmod -R a+rX package.json dist \
  && chmod a+x dist/bin.cjs \
  && ln -s /app/dist/bin.cjs /usr/local/bin/slotkey \
  && mkdir /data \
  && chown 1000:1000 /data
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV DATA_DIR=/data
# One operator's port for every process of this image, whichever it is.
ENV OPERATOR_PORT=3010
ENV WORKER_PORT=3010
VOLUME /data
USER 1000:1000
EXPOSE 3000 3010
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3010/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As in the script "start": memory stays within 200 MB under full load.
CMD ["node", "--require=./dist/start.cjs", "--max-semi-space-size=8", "--heap-growing-percent=40", "--no-allocation-site-pretenuring", "dist/main.js"]
