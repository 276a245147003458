# The server without a window:
#   docker build -t burrow .
#   docker run -d --name burrow -p 127.0.0.1:2877:2877 -v burrow:/data burrow
#   docker exec burrow node dist/server/main.js url
FROM node:24-bookworm-slim AS build
WORKDIR /burrow
COPY . .
RUN npm ci --ignore-scripts
RUN node scripts/build.mjs server renderer shared-page static geoip

FROM node:24-bookworm-slim
WORKDIR /burrow
COPY --from=build /burrow/package.json /burrow/package-lock.json /burrow/.npmrc /burrow/LICENSE ./
COPY --from=build /burrow/dist ./dist
RUN npm ci --omit=dev --ignore-scripts
# The port is published by Docker, which is where its address on the machine is chosen.
ENV NODE_ENV=production BURROW_HOST=0.0.0.0 BURROW_DATA_DIR=/data
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 2877
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BURROW_PORT ?? 2877}/_readiness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/server/main.js"]
CMD ["serve"]
