import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { Cookies, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { ClientId } from "../../../src/domain/Ids.ts"
import { recall, remember } from "../../../src/doors/playground/FlowCookie.ts"

it.each([[100, false], [6_000, true]])(
  "an answer of %d random bytes comes back from the browser, cut: %s",
  (length, isCut) => {
    const body = randomBytes(length).toString("base64")
    const call = { request: "GET /v2/me HTTP/1.1", status: 200, body }
    const flow = { app: ClientId.make("slk_client_1"), state: "s", verifier: "v", last: { step: "me", call } } as const
    const { cookies } = remember({ authUrl: "https://auth.example" }, flow)(HttpServerResponse.empty())
    const headers = { cookie: Cookies.toCookieHeader(cookies) }
    const kept = recall(HttpServerRequest.fromWeb(new Request("https://auth.example", { headers })))
    assert.deepStrictEqual(
      Option.map(kept, ({ last }) => [last?.call.isCut ?? false, last?.call.body]),
      Option.some([isCut, isCut ? `${body.slice(0, 200)}…` : body])
    )
  }
)
