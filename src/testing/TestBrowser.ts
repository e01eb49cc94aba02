import { Effect } from "effect"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import type { TestSession } from "./Fixtures.ts"
import { sending } from "./Serve.ts"
import { TestRoutes } from "./TestRoutes.ts"

/** Requests to the test server, which answers them without a port. */
export const make = Effect.gen(function*() {
  const { authUrl, baseUrl } = yield* AppConfig
  const { answer, whileTokensTake } = yield* TestRoutes
  const send = yield* sending(answer)

  // What a proxy does where a path is in the address of the server.
  const atRoot = (address: string): URL => {
    const url = new URL(address, baseUrl)
    const base = [authUrl, baseUrl].map((base) => new URL(base)).find(({ origin, pathname }) =>
      origin === url.origin && pathname !== "/" && `${url.pathname}/`.startsWith(`${pathname}/`)
    )
    if (base !== undefined) url.pathname = url.pathname.slice(base.pathname.length)
    return url
  }

  const fetch = Effect.fn("TestServer.fetch")((input: string | URL | Request, init?: RequestInit) =>
    send(
      input instanceof Request
        ? new Request(atRoot(input.url), new Request(input, init))
        : new Request(atRoot(String(input)), init)
    )
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
