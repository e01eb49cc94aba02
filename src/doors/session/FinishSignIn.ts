import { type DateTime, Effect } from "effect"
import { LinkedAccounts } from "../../core/accounts/linked/LinkedAccounts.ts"
import type { ExternalIdentity } from "../../core/accounts/people/ExternalIdentity.ts"
import type { SessionWay } from "../../core/accounts/people/SessionWays.ts"
import { SignIn } from "../../core/accounts/people/SignIn.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { PageSession } from "./PageSession.ts"
import { setCookie } from "./SessionCookie.ts"
import { continueTo } from "./SignInView.ts"

/**
 * Way by which the user came; `sid` is the provider's name for its own session, `authenticatedAt` the instant at which
 * it has looked at the user.
 */
interface Arrival {
  readonly way: SessionWay
  readonly returnTo: string
  readonly sid?: string | undefined
  readonly authenticatedAt?: DateTime.Utc | undefined
}

/**
 * Ends a sign-in elsewhere: the browser gets a session of the account of this identity, and goes where it wanted to.
 */
export const finishSignIn = Effect.gen(function*() {
  const config = yield* AppConfig
  const linked = yield* LinkedAccounts
  const pages = yield* PageSession
  const signIn = yield* SignIn

  return (identity: ExternalIdentity, { authenticatedAt, returnTo, sid, way }: Arrival) =>
    linked.signInThen(identity, ({ id }) => {
      const { issuer, subject } = identity
      return signIn.startAs(id, { authenticatedAt, identity: { way, issuer, subject, sid } })
    }).pipe(
      // A fresh session prevents session fixation: a person who knows the old token does not get the new one.
      Effect.tap(() => pages.end),
      Effect.map((token) => setCookie(config, token)(continueTo(returnTo))),
      Effect.catchTag(
        "AccountDisabled",
        ({ _tag: reason }) =>
          Effect.as(Effect.logInfo("Refused a sign-in", { reason, issuer: identity.issuer }), disabledPage)
      )
    )
})

const disabledPage = failurePage({
  status: 403,
  title: text("failure.accountDisabled"),
  what: text("failure.accountDisabled.what"),
  remedy: text("failure.accountDisabled.remedy")
})
