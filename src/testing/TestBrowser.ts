import { Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Routes } from "../app/Routes.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import type { TestSession } from "./Fixtures.ts"
import { serve } from "./Serve.ts"

/** Requests to the test server, which answers them without a port. */
export const make = Effect.gen(function*() {
  const { baseUrl } = yield* AppConfig
  const send = yield* serve(Routes.pipe(Layer.provide(HttpServer.layerServices)))

  let tokenDelay = Duration.zero

  const fetch = Effect.fn("TestServer.fetch")(function*(input: string | URL | Request, init?: RequestInit) {
    const request = new Request(input instanceof Request ? input : new URL(input, baseUrl), init)
    if (new URL(request.url).pathname === "/v2/auth/oauth2/token") yield* Effect.sleep(tokenDelay)
    return yield* send(request)
  })

  const whileTokensTake = <A, E, R>(duration: Duration.Input, test: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        tokenDelay = Duration.fromInputUnsafe(duration)
      }),
      () => test,
      () =>
        Effect.sync(() => {
          tokenDelay = Duration.zero
        })
    )

  const submit = Effect.fn("TestServer.submit")(
    ({ cookie, csrf }: TestSession, path: string, fields: Readonly<Record<string, string>>) =>
      fetch(path, {
        method: "POST",
        headers: { cookie, "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ csrf, ...fields })
      })
  )

  return { fetch, submit, whileTokensTake }
})

export type TestBrowser = Effect.Success<typeof make>
