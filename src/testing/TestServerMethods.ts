import type { Duration, Effect, Redacted } from "effect"
import type { Mail } from "../../workers/Mailer.ts"
import type { Event } from "../../workers/ReviewWebhook.ts"
import type {
  AppOptions,
  Asking,
  Authorized,
  Decision,
  TestApp,
  TestSession,
  TestTokens,
  TestUser,
  UserOptions
} from "./Fixtures.ts"
import type { TestJob } from "./TestJobs.ts"

/** Whatever a `TestServer` offers. */
export interface TestServerMethods {
  /** Base address, which relative addresses of `fetch` start from. */
  readonly url: string
  /** Answers a request as the server does over the wire, but follows no redirect. */
  fetch(input: string | URL | Request, init?: RequestInit): Effect.Effect<Response>
  /** Posts a form as the server's own pages do. */
  submit(
    session: TestSession,
    path: string,
    fields: Readonly<Record<string, string>>
  ): Effect.Effect<Response>
  /** A new user with a local account, or one of an identity source of your own. */
  user(options?: UserOptions): Effect.Effect<TestUser>
  /** A browser in which the user is signed in. */
  session(user: TestUser): Effect.Effect<TestSession>
  /** An app that is registered, and approved unless another status is given. */
  app(options?: AppOptions): Effect.Effect<TestApp>
  /** Decides about an app as a reviewer. */
  decide(app: TestApp, decision: Decision, reason?: string): Effect.Effect<void>
  /** Goes through the authorization endpoint as a user, and answers the consent page. */
  authorize(asking?: Asking & { readonly decision?: "allow" | "deny" }): Effect.Effect<Authorized>
  /**
   * Opens an app's own authorization request as a user, and answers the consent page, where the scopes to decline are
   * unticked and all others ticked; returns the address at the app.
   */
  consent(
    url: string | URL,
    user: TestUser,
    decision?: "allow" | "deny",
    decline?: ReadonlyArray<string>
  ): Effect.Effect<URL>
  /** Exchanges a code for tokens. */
  exchange(authorized: Authorized): Effect.Effect<TestTokens>
  /**
   * Tokens that the server has issued: after consent, or for a legacy app by a refresh token of the time before scopes.
   */
  tokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens whose access token has expired a minute ago; the refresh token still works. */
  expiredTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens that the app has revoked. */
  revokedTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens of a connection that has ended, because somebody used a refresh token a second time. */
  stolenTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Next tokens by the refresh token. */
  refresh(tokens: TestTokens): Effect.Effect<TestTokens>
  /** Revokes the refresh token as the app, which ends the connection. */
  revoke(tokens: TestTokens): Effect.Effect<void>
  /** A credential with which an API asks the server about tokens (`slotkey/resource`). */
  readonly credential: Effect.Effect<Redacted.Redacted>
  /** Puts the clock of the server forward. It goes on with the clock of the test from there. */
  advance(duration: Duration.Input): Effect.Effect<void>
  /** Runs a part of the test while the server cannot reach its database. */
  whileDatabaseIsAway<A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /**
   * Runs a part of the test while the token endpoint starts on each request this much later, by the clock of the test.
   */
  whileTokensTake<A, E, R>(duration: Duration.Input, test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Jobs that wait, such as mails to send. */
  readonly jobs: Effect.Effect<ReadonlyArray<TestJob>>
  /** Does the jobs that wait, now. */
  readonly runJobs: Effect.Effect<void>
  /**
   * Does the scheduled job of this queue now, or all that are scheduled, such as `key-rotation`; then the jobs that
   * wait.
   */
  runScheduledJobs(queue?: string): Effect.Effect<void>
  /** Mails that the server has sent; does the jobs that wait first. */
  readonly mails: Effect.Effect<ReadonlyArray<Mail>>
  /** Events that the server has sent to the webhook of reviews; does the jobs that wait first. */
  readonly webhooks: Effect.Effect<ReadonlyArray<Event>>
  /** Empties the server for the next test, and puts its clock back: only its keys stay. */
  readonly reset: Effect.Effect<void>
}
