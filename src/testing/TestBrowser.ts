import { Effect } from "effect"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import type { TestSession } from "./Fixtures.ts"
import { sending } from "./Serve.ts"
import { TestRoutes } from "./TestRoutes.ts"

/** Requests to the test server, which answers them without a port. */
export const make = Effect.gen(function*() {
  const { baseUrl } = yield* AppConfig
  const { answer, whileTokensTake } = yield* TestRoutes
  const send = yield* sending(answer)

  const fetch = Effect.fn("TestServer.fetch")((input: string | URL | Request, init?: RequestInit) =>
    send(new Request(input instanceof Request ? input : new URL(input, baseUrl), init))
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
