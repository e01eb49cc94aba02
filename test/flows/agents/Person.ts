import { Effect, Redacted } from "effect"
import { parse } from "node-html-parser"
import type { Account } from "../../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { cookieName } from "../../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"

/** A page of the server, or the address elsewhere to which the server sends the browser. */
export interface Seen {
  readonly url: URL
  /** None where the browser has left. */
  readonly page?: string
  readonly headers: Headers
}

/** A signed-in user at a browser without scripts, which follows the server wherever it leads. */
export const person = Effect.fnUntraced(function*(account: Account) {
  const { authUrl } = yield* AppConfig
  const token = Redacted.value(yield* (yield* Sessions).start(account.id))
  const cookie = `${cookieName({ authUrl })}=${token}`
  const headers = { cookie, origin: authUrl }

  const go = async (url: URL, body?: URLSearchParams): Promise<Seen> => {
    if (url.origin !== new URL(authUrl).origin) return { url, headers: new Headers() }
    const sent = body === undefined ? { headers } : { headers, body, method: "POST" }
    const answer = await fetch(url, { ...sent, redirect: "manual" })
    const location = answer.headers.get("location")
    if (location !== null) return await go(new URL(location, url))
    return { url, page: await answer.text(), headers: answer.headers }
  }

  return {
    cookie,
    open: (url: string | URL) => Effect.promise(() => go(new URL(url, authUrl))),
    /** Sends the first form of the page whose action ends so, with what it holds and these fields. */
    submit: ({ page = "", url }: Seen, action: string, fields: Readonly<Record<string, string>>) =>
      Effect.promise(async () => {
        const form = parse(page).querySelector(`form[action$="${action}"]`)
        if (form === null) throw new Error(`No form for ${action} at ${url.pathname}: ${parse(page).text}`)
        const held = form.querySelectorAll("input").flatMap((input) => {
          const { checked, name, type, value } = input.attributes
          const isHeld = type === "hidden" || type === "checkbox" && checked !== undefined
          return name !== undefined && isHeld ? [[name, value ?? "on"] as const] : []
        })
        const body = new URLSearchParams({ ...Object.fromEntries(held), ...fields })
        return await go(new URL(form.attributes["action"] ?? "", url), body)
      })
  }
})
