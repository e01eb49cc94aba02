import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as Testing from "../../../../src/testing.ts"
import * as OidcProvider from "../../../support/OidcProvider.ts"
import * as TestServer from "../../../support/TestServer.ts"

/** Provider at which the users of the server sign in. */
export class Platform extends Context.Service<Platform, OidcProvider.OidcProvider>()(
  "slotkey/test/doors/identity/oidc/Scenario/Platform"
) {}

/** Sends requests to the server. */
class Serve extends Context.Service<Serve, Testing.Send>()("slotkey/test/doors/identity/oidc/Scenario/Serve") {}

/** A server whose users sign in at a provider, and the provider. */
export const serverWith = (env: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(OidcProvider.make, (platform) =>
      Layer.effect(Serve, Testing.server).pipe(
        Layer.provideMerge(TestServer.layer({ ...platform.settings, ...env })),
        Layer.merge(Layer.succeed(Platform, platform))
      ))
  )

export const Server = serverWith({})

/** Sets the test's clock by the system's, which the provider goes by, and the library that reads its ID tokens. */
export const atSystemTime = Effect.flatMap(TestClock.withLive(Clock.currentTimeMillis), TestClock.setTime)

export interface Answer {
  readonly status: number
  readonly location: URL | undefined
  readonly headers: Headers
  readonly text: string
}

/** Browser that follows redirects only where the test says so. */
export const browser = Effect.gen(function*() {
  const platform = yield* Platform
  const serve = yield* Serve
  const { authUrl } = yield* AppConfig
  const jar = new Map<string, string>()

  const send = Effect.fnUntraced(function*(address: string | URL, init: RequestInit = {}) {
    const url = new URL(address, `${authUrl}/`)
    const headers = new Headers(init.headers)
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "))
    const sent = { ...init, redirect: "manual", headers } as const
    // A path in the address of the server is known to the proxy before it alone.
    const response = yield* url.href.startsWith(`${authUrl}/`)
      ? serve(new Request(`https://slotkey.test${url.href.slice(authUrl.length)}`, sent))
      : Effect.promise(() => fetch(url, sent))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
    const text = yield* Effect.promise(() => response.text())
    const location = response.headers.get("location") ?? /^0;url=(.*)/.exec(response.headers.get("refresh") ?? "")?.[1]
    return {
      status: response.status,
      location: location === undefined ? undefined : new URL(location, url),
      headers: response.headers,
      text
    } satisfies Answer
  })

  /** Begins to sign in; answers the address at the provider. */
  const begin = Effect.fnUntraced(function*(returnTo = "/account") {
    const { location, status, text } = yield* send(`${authUrl}/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
    if (location === undefined) return yield* Effect.die(new Error(`no redirect to the provider: ${status} ${text}`))
    return location
  })

  /** Signs in at the provider; answers the address with which it sends the browser back. */
  const authenticate = Effect.fnUntraced(function*(authorization: URL) {
    let answer = yield* send(authorization)
    for (;;) {
      const { location, text } = answer
      if (location?.host === "slotkey.test") return location
      const action = /action="([^"]+)"/.exec(text)?.[1]
      if (location !== undefined) answer = yield* send(location)
      else if (action !== undefined) {
        const fields = [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map((
          [, name = "", value = ""]
        ) => [name, value])
        answer = yield* send(new URL(action, platform.issuer), { method: "POST", body: new URLSearchParams(fields) })
      } else return yield* Effect.die(new Error(`the provider shows no form: ${text}`))
    }
  })

  /** Signs in; answers what the server says to the answer of the provider. */
  const signIn = (returnTo?: string) =>
    begin(returnTo).pipe(Effect.flatMap(authenticate), Effect.flatMap((answer) => send(answer)))

  return { jar, send, begin, authenticate, signIn }
})
