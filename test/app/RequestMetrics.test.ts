import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { connect } from "node:net"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { eventually } from "../support/Eventually.ts"
import { layer as server, LiveServer, newApp, newConnection } from "../support/LiveServer.ts"
import { samples, scrape, total } from "../support/Metrics.ts"
import { form } from "../support/TestServer.ts"

const duration = "http_server_request_duration_seconds"
const refused = "slotkey_requests_refused_total"

const ask = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(LiveServer, ({ url }) =>
    Effect.promise(async () => {
      const response = await fetch(url + path, { redirect: "manual", ...init })
      return { status: response.status, text: await response.text() }
    }))

/**
 * Waits until this much has been added to a metric by what `effect` asks for: a request is counted after its answer.
 */
const assertAdds = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  [name, labels, added]: readonly [string, Readonly<Record<string, string>>, number]
) =>
  Effect.gen(function*() {
    const before = yield* total(name, labels)
    const answer = yield* effect
    yield* eventually(Effect.map(total(name, labels), (after) => after === before + added))
    return answer
  })

/** Writes lines to a connection and waits until it is closed. */
const raw = (lines: ReadonlyArray<string>) =>
  Effect.flatMap(LiveServer, ({ url }) =>
    Effect.callback<void>((resume) => {
      const socket = connect(Number(new URL(url).port), "localhost", () => void socket.write(lines.join("\r\n")))
      socket.resume().on("close", () => resume(Effect.void))
    }))

const token = (fields: Readonly<Record<string, string>>) =>
  ask("/v2/auth/oauth2/token", { method: "POST", body: form(fields) })

layer(server(), { excludeTestServices: true })("the metrics of requests", (it) => {
  describe("count by route, method and status", () => {
    it.effect("requests that succeed, with the time they took", () =>
      Effect.gen(function*() {
        const { accessToken } = yield* newConnection()
        const labels = { http_route: "/v2/me", http_request_method: "GET", http_response_status_code: "200" }
        const me = ask("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
        const seconds = yield* total(`${duration}_sum`, labels)
        assert.strictEqual((yield* assertAdds(me, [`${duration}_count`, labels, 1])).status, 200)
        const took = (yield* total(`${duration}_sum`, labels)) - seconds
        assert.isAbove(took, 0)
        assert.isBelow(took, 60)
        const buckets = (yield* samples).filter(({ labels: { http_route }, name }) =>
          name === `${duration}_bucket` && http_route === "/v2/me"
        )
        assert.strictEqual(buckets.at(-1)?.labels["le"], "+Inf")
        buckets.reduce((least, { value }) => {
          assert.isAtLeast(value, least)
          return value
        }, 0)
      }))

    it.effect("the spellings of a path that the router takes for one", () =>
      Effect.forEach(
        ["/review/1", "//REVIEW/2?a=b", "/review/%33"],
        (path) =>
          assertAdds(ask(path), [`${duration}_count`, { http_route: "/review/:id", http_request_method: "GET" }, 1])
      ))
  })

  describe("name the cause of each request that is refused:", () => {
    it.effect.each([
      {
        cause: "the error of RFC 6749",
        path: "/v2/auth/oauth2/token",
        init: { method: "POST", body: form({ grant_type: "password" }) },
        route: "/v2/auth/oauth2/token",
        error: "unsupported_grant_type"
      },
      { cause: "the error of RFC 6750", path: "/v2/me", init: {}, route: "/v2/me", error: "unauthorized" },
      { cause: "that there is no route", path: "/v2/none", init: {}, route: "unmatched", error: "not_found" },
      {
        cause: "the status of a page",
        path: "/auth/oauth2/authorize",
        init: {},
        route: "/auth/oauth2/authorize",
        error: "bad_request"
      }
    ])(
      "$cause",
      ({ error, init, path, route }) => assertAdds(ask(path, init), [refused, { http_route: route, error }, 1])
    )

    it.effect("the code of the envelope, whatever the path looks like", () =>
      assertAdds(
        raw([`GET /v2/oauth-clients/"error":"forged" HTTP/1.1`, "host: a", "connection: close", "", ""]),
        [refused, { http_route: "/v2/oauth-clients/:id", error: "not_signed_in" }, 1]
      ))

    it.effect("the error that an app gets by redirect", () =>
      Effect.gen(function*() {
        const { client, owner } = yield* newApp()
        const session = Redacted.value(yield* (yield* Sessions).start(owner.id))
        const cookie = `${cookieName(yield* AppConfig)}=${session}`
        const query = form({
          client_id: client.id,
          redirect_uri: client.redirectUris[0],
          response_type: "token",
          state: "error=forged&error_description="
        })
        const answer = yield* assertAdds(
          ask(`/auth/oauth2/authorize?${query}`, { headers: { cookie } }),
          [refused, { http_route: "/auth/oauth2/authorize", error: "unsupported_response_type" }, 1]
        )
        assert.isAtLeast(answer.status, 300)
        assert.isBelow(answer.status, 400)
      }))

    it.effect("wrong secrets", () =>
      Effect.gen(function*() {
        const { client } = yield* newApp()
        const wrong = token({
          grant_type: "refresh_token",
          client_id: client.id,
          client_secret: "wrong",
          refresh_token: "x"
        })
        yield* assertAdds(wrong, [refused, { error: "invalid_client" }, 1])
      }))
  })

  it.effect("hold nothing of a request: no path, query, header or body", () =>
    Effect.gen(function*() {
      const { accessToken } = yield* newConnection()
      const { client, secret } = yield* newApp()
      const secrets = [accessToken, secret, client.id, "something-secret"]
      for (const text of secrets) {
        for (
          const path of [`/${text}`, `/v2/${text}`, `/review/${text}`, `/sign-in?error=${text}&error_description=`]
        ) {
          yield* ask(path, { headers: { authorization: `Bearer ${text}`, "x-request-id": "something-secret" } })
        }
        yield* token({ grant_type: text, client_id: text, client_secret: text, error: text })
      }
      const { text: shown } = yield* scrape()
      assert.include(shown, "unsupported_grant_type")
      for (const text of secrets) assert.isFalse(shown.includes(text))
    }))

  it.effect("have no more series for whatever is asked, and count every refusal once", () =>
    Effect.gen(function*() {
      const random = () => Math.random().toString(36).slice(2)
      const methods = [
        "GET",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "HEAD",
        "OPTIONS",
        "PROPFIND",
        "PURGE",
        "SEARCH",
        "QUERY"
      ]
      const places = ["/", "/v2/", "/v2/me/", "/review/", "/assets/", "/v2/oauth-clients/", "/.well-known/", "/%ff/"]
      const wave = Effect.forEach(
        methods.flatMap((method) => places.map((place) => ({ method, path: `${place}${random()}?${random()}=1` }))),
        ({ method, path }) => ask(path, { method }),
        { concurrency: 8 }
      )
      const counted = total(`${duration}_count`)
      const before = yield* counted
      const sent = (yield* wave).length
      yield* eventually(Effect.map(counted, (now) => now === before + sent))
      const series = Effect.map(
        samples,
        (all) => all.filter(({ name }) => name.startsWith("http_") || name === refused)
      )
      const first = yield* series
      yield* wave
      yield* wave
      yield* eventually(Effect.map(counted, (now) => now === before + 3 * sent))
      assert.strictEqual((yield* series).length, first.length)
      const labelled = (label: string) => new Set(first.flatMap(({ labels }) => labels[label] ?? []))
      assert.include([...labelled("http_request_method")], "_OTHER")
      assert.isAtMost(labelled("http_request_method").size, 8)
      for (const route of labelled("http_route")) assert.match(route, /^(unmatched|\/[\w\-./:*]*)$/)
      const errors = first.filter(({ name }) => name === `${duration}_count`)
        .filter(({ labels }) => Number(labels["http_response_status_code"]) >= 400)
      // The authorization endpoint refuses by redirect, too.
      const routes = errors.flatMap(({ labels }) => labels["http_route"] ?? [])
      for (const route of routes.filter((route) => route !== "/auth/oauth2/authorize")) {
        const inTime = errors.filter(({ labels }) => labels["http_route"] === route)
        const causes = first.filter(({ labels, name }) => name === refused && labels["http_route"] === route)
        const sum = (all: typeof first) => all.reduce((sum, { value }) => sum + value, 0)
        assert.strictEqual(sum(causes), sum(inTime), route)
      }
    }))
})
