import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Cause } from "../../../../src/core/legacy/rehearsal/Judgement.ts"
import type { LoggedRequest } from "../../../../src/core/legacy/rehearsal/RequestLog.ts"
import { challenge } from "../../consent/Fixture.ts"
import type { Visitor } from "../Scenario.ts"

/** What the server says for each cause, on its page or to the app. The last two are no answers of a server. */
const words: Readonly<Record<Exclude<Cause, "client-unfit" | "challenge-unlogged">, RegExp>> = {
  "query-malformed": /not valid percent-encoded UTF-8/,
  "client-missing": /client_id is missing/,
  "client-repeated": /client_id is repeated/,
  "client-unknown": /No app is registered here under this client_id/,
  "redirect-uri-missing": /redirect_uri is missing/,
  "redirect-uri-repeated": /redirect_uri is repeated/,
  "redirect-uri-unregistered": /not registered for it \(redirect_uri\)/,
  "client-pending": /waiting for review/,
  "client-rejected": /reviewed and rejected/,
  "client-suspended": /app is suspended/,
  "parameter-repeated": /a parameter is repeated/,
  "response-type-unsupported": /response_type must be/,
  "response-mode-unsupported": /response_mode must be/,
  "challenge-method-unsupported": /code_challenge_method must be/,
  "challenge-malformed": /code_challenge must be the base64url form/,
  "challenge-missing": /has no code_challenge|must send code_challenge/,
  "scope-missing": /scope is missing/,
  "scope-unknown": /scope names what does not exist/,
  "scope-unregistered": /scope exceeds what is registered/,
  "scope-retired": /retired and not to be asked for after/,
  "resource-malformed": /resource must be an absolute URI/,
  "resource-unknown": /resource is not known here/
}

/** Cause for which the server refuses a query, or `undefined` when its user is asked. */
const ask = Effect.fnUntraced(function*(user: Visitor, query: string) {
  const { headers, status, text } = yield* user.get(`/auth/oauth2/authorize?${query}`)
  if (status === 200) {
    assert.include(text, "name=\"request\"", query)
    return undefined
  }
  const parameters = new URL(headers.get("location") ?? "about:blank").searchParams
  const said = status === 303 ? parameters.get("error_description") ?? "" : text
  const causes = (Object.keys(words) as Array<keyof typeof words>).filter((cause) => words[cause].test(said))
  assert.strictEqual(causes.length, 1, `${query}: ${status} ${causes} ${said}`)
  return causes[0]
})

/** Query that a request of the log was sent with. */
const queryOf = ({ query, ...parameters }: LoggedRequest): string =>
  query ?? `${new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : [])
  )}`

/**
 * Cause for which the server refuses a request of a log. Where the log does not say whether it had a challenge, it is
 * sent with one, and without one to see whether that matters.
 */
export const answerTo = Effect.fnUntraced(function*(user: Visitor, logged: LoggedRequest) {
  const query = queryOf(logged)
  const cause: Cause | undefined = yield* ask(user, query)
  const isUnlogged = typeof logged.query !== "string" && logged.code_challenge === undefined
  if (cause !== "challenge-missing" || !isUnlogged) return cause
  return (yield* ask(user, `${query}&code_challenge=${challenge}`)) ?? ("challenge-unlogged" satisfies Cause)
})

/** Client that a request names, as a report has it. */
export const clientOf = (logged: LoggedRequest): string | null =>
  new URLSearchParams(queryOf(logged)).get("client_id") || null
