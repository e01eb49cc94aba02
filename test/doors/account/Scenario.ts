import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import { AccountPages } from "../../../src/doors/account/AccountPages.ts"
import { ApiKeyPages } from "../../../src/doors/account/ApiKeyPages.ts"
import { EmailChangePages } from "../../../src/doors/account/EmailChangePages.ts"
import { InvitationPages } from "../../../src/doors/account/InvitationPages.ts"
import { PasswordPages } from "../../../src/doors/account/PasswordPages.ts"
import { PasswordResetPages } from "../../../src/doors/account/PasswordResetPages.ts"
import { ProfilePages } from "../../../src/doors/account/ProfilePages.ts"
import { SessionPages } from "../../../src/doors/account/SessionPages.ts"
import { SetupPages } from "../../../src/doors/account/SetupPages.ts"
import { PageSession } from "../../../src/doors/session/PageSession.ts"
import { SignInContext } from "../../../src/doors/session/SignInContext.ts"
import { SignInPages } from "../../../src/doors/session/SignInPages.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import * as Accounts from "../../core/accounts/Scenario.ts"
import { httpSender } from "../../support/HttpSender.ts"

/** Services behind the pages, on a database of their own. */
export const Services = PageSession.layer.pipe(
  Layer.provideMerge(StoredGrants.pipe(Layer.provide(SecretCheck.layer))),
  Layer.provideMerge(Accounts.Services)
)

/** Sign-in page without the door that knows the requests of apps. */
export const noRequestWaits = Layer.succeed(SignInContext, () => Effect.succeedNone)

const routes = Layer.mergeAll(
  AccountPages,
  ApiKeyPages,
  EmailChangePages,
  InvitationPages,
  PasswordPages,
  PasswordResetPages,
  ProfilePages,
  SessionPages,
  SetupPages,
  SignInPages,
  ErrorBoundary
).pipe(
  Layer.provide([HttpServer.layerServices, noRequestWaits])
)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A browser that keeps its cookie and sends forms; it does not follow redirects. */
export const browse = Effect.fnUntraced(function*<A, E, R>(routes: Layer.Layer<A, E, R>) {
  const send = yield* httpSender(routes)
  let cookie = ""

  const request = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
    const headers = new Headers(init.headers)
    if (cookie !== "") headers.set("cookie", cookie)
    const response = yield* send(path, { ...init, headers })
    const set = response.headers.get("set-cookie")
    if (set !== null) cookie = set.includes("Max-Age=0") ? "" : set.split(";")[0] ?? ""
    return { status: response.status, headers: response.headers, text: yield* Effect.promise(() => response.text()) }
  })

  return {
    get: (path: string) => request(path),
    /** Posts a form as one of our own pages does, unless `headers` say otherwise. */
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      request(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers }
      }),
    send: request,
    /** CSRF token in the forms of a page. */
    csrf: (path: string) => Effect.map(request(path), ({ text }) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? "")
  }
})

/** A browser on the pages of this room. */
export const browser = browse(routes)
