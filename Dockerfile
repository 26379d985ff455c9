# The service on one machine, in a container: docker compose up (compose.yaml).
FROM rust:1.95-alpine AS build
RUN apk add --no-cache build-base
WORKDIR /source
COPY . .
# `event-capture --version` prints it.
ARG COMMIT
# The next build compiles only what has changed.
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    CARGO_PROFILE_RELEASE_STRIP=symbols cargo build --release --locked -p event-capture --features deployed && \
    cp target/release/event-capture /

FROM alpine:3.22
RUN adduser -D -u 10001 capture && mkdir /data && chown capture /data
COPY --from=build /event-capture /usr/local/bin/
USER capture
# Outside of the container, only what `ports` publishes can be reached, so the service listens on every address of it.
ENV EVENT_CAPTURE_DATA_DIR=/data EVENT_CAPTURE_LISTEN=0.0.0.0
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s CMD wget -qO- http://127.0.0.1:3000/health
# A container has its own address, so the service requires tokens: docker compose exec capture event-capture token create
CMD ["event-capture", "serve", "--require-token"]
