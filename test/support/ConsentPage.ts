import { Effect, Option, Redacted } from "effect"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"

/**
 * Opens an authorization URL as a signed-in user, unticks what they decline, decides, and answers the URL at the app
 * that the user is sent to.
 */
export const decide = Effect.fnUntraced(function*(
  account: Account,
  url: string | URL,
  decision: "allow" | "deny",
  decline: ReadonlyArray<string> = []
) {
  const sessions = yield* Sessions
  const { authUrl } = yield* AppConfig
  const token = Redacted.value(yield* sessions.start(account.id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const headers = { cookie: `${cookieName({ authUrl })}=${token}` }
  return yield* Effect.promise(async () => {
    const asked = await fetch(url, { headers, redirect: "manual" })
    // No question is asked if an earlier grant covers the request.
    if (asked.status === 303) return new URL(asked.headers.get("location")!)
    const page = await asked.text()
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""
    const action = /<form[^>]*action="([^"]*decision[^"]*)"/.exec(page)?.[1] ?? ""
    const answered = await fetch(new URL(action, authUrl), {
      method: "POST",
      headers: { ...headers, origin: authUrl },
      redirect: "manual",
      body: new URLSearchParams({
        csrf,
        request: field("request"),
        decision,
        ...Object.fromEntries(
          [...page.matchAll(/name="scope:([^"]*)"/g)].flatMap(([, scope = ""]) =>
            decline.includes(scope) ? [] : [[`scope:${scope}`, "on"]]
          )
        )
      })
    })
    return new URL(answered.headers.get("location")!)
  })
})
