import { Duration, Effect, Schema } from "effect"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { accessTokenLifetime } from "../core/keys/AccessTokenLifetime.ts"
import { TokenResponse } from "../core/tokens/TokenResponse.ts"
import { checkChoice, userDecisions } from "./Choice.ts"
import type { Asking, Authorized, TestApp, TestTokens, TestUser } from "./Fixtures.ts"
import type { ShiftedClock } from "./ShiftedClock.ts"
import type { ImportLegacy, TestApps } from "./TestApps.ts"
import type { TestBrowser } from "./TestBrowser.ts"
import type { TestUsers } from "./TestUsers.ts"

/** Consent of users and the tokens that come of it, all as apps and browsers ask the server for it. */
export const make = (
  { appFor }: Pick<TestApps, "appFor">,
  importLegacy: ImportLegacy,
  { session, user: newUser }: TestUsers,
  browser: TestBrowser,
  { forward }: ShiftedClock["Service"]
) => {
  const parties = Effect.fnUntraced(function*({ app, scopes, user }: Asking) {
    return { app: app ?? (yield* appFor(scopes)), user: user ?? (yield* newUser()) }
  })

  const consent = Effect.fn("TestServer.consent")(
    function*(
      url: string | URL,
      user: TestUser,
      decision: "allow" | "deny" = "allow",
      decline: ReadonlyArray<string> = []
    ) {
      yield* checkChoice("decision", decision, userDecisions)
      const signedIn = yield* session(user)
      const asks = yield* browser.fetch(url, { headers: { cookie: signedIn.cookie } })
      const page = yield* Effect.promise(() => asks.text())
      // No question is asked if an earlier grant covers the request.
      const answer = asks.status === 303 ? asks : yield* browser.submit(signedIn, "/auth/oauth2/decision", {
        request: /name="request" value="([^"]*)"/.exec(page)?.[1] ?? "",
        decision,
        ...Object.fromEntries(
          [...page.matchAll(/name="scope:([^"]*)"/g)].flatMap(([, scope = ""]) =>
            decline.includes(scope) ? [] : [[`scope:${scope}`, "on"]]
          )
        )
      })
      const location = answer.headers.get("location")
      if (location === null) {
        return yield* Effect.die(new Error(`The server did not ask the user, but said: ${textOf(page)}`))
      }
      return new URL(location)
    }
  )

  const authorize = Effect.fn("TestServer.authorize")(
    function*({ decision, ...asking }: Asking & { readonly decision?: "allow" | "deny" } = {}) {
      const { app, user } = yield* parties(asking)
      const codeVerifier = randomBytes(32).toString("base64url")
      const state = randomUUID()
      const query = new URLSearchParams({
        response_type: "code",
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        state,
        code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
        code_challenge_method: "S256"
      })
      const asked = asking.scopes ?? app.scopes
      if (asked.length > 0) query.set("scope", asked.join(" "))
      const target = yield* consent(`/auth/oauth2/authorize?${query}`, user, decision, asking.decline)
      return {
        app,
        user,
        location: target,
        code: target.searchParams.get("code") ?? "",
        error: target.searchParams.get("error") ?? undefined,
        codeVerifier
      } satisfies Authorized
    }
  )

  const token = Effect.fnUntraced(function*(app: TestApp, user: TestUser, fields: Readonly<Record<string, string>>) {
    const response = yield* browser.fetch("/v2/auth/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({ ...credentials(app), ...fields })
    })
    const text = yield* Effect.promise(() => response.text())
    if (response.status !== 200) return yield* Effect.die(new Error(`The server issued no tokens: ${text}`))
    const { access_token, authorization_expires_in, expires_in, refresh_token, scope } = yield* Effect.orDie(
      decodeTokens(text)
    )
    return {
      app,
      user,
      accessToken: access_token,
      refreshToken: refresh_token,
      scopes: scope === "" ? [] : scope.split(" "),
      expiresIn: expires_in,
      authorizationExpiresIn: authorization_expires_in
    } satisfies TestTokens
  })

  const exchange = Effect.fn("TestServer.exchange")(({ app, code, codeVerifier, error, location, user }: Authorized) =>
    error === undefined
      ? token(app, user, {
        grant_type: "authorization_code",
        code,
        redirect_uri: app.redirectUri,
        code_verifier: codeVerifier
      })
      : Effect.die(
        new Error(`There is no code to exchange: ${error}, ${location.searchParams.get("error_description")}`)
      )
  )

  const refresh = Effect.fn("TestServer.refresh")(({ app, refreshToken, user }: TestTokens) =>
    token(app, user, { grant_type: "refresh_token", refresh_token: refreshToken })
  )

  const legacyTokens = Effect.fnUntraced(function*(app: TestApp, user: TestUser) {
    const refreshToken = randomUUID()
    yield* importLegacy({
      client_id: app.clientId,
      refresh_tokens: [{ token: refreshToken, algorithm: "clear", user: user.email }]
    })
    return yield* token(app, user, { grant_type: "refresh_token", refresh_token: refreshToken })
  }, Effect.orDie)

  const tokens = Effect.fn("TestServer.tokens")(function*(asking: Asking = {}) {
    const { app, user } = yield* parties(asking)
    return yield* app.legacy ? legacyTokens(app, user) : Effect.flatMap(authorize({ ...asking, app, user }), exchange)
  })

  const revoke = Effect.fn("TestServer.revoke")(function*({ app, refreshToken }: TestTokens) {
    yield* browser.fetch("/v2/auth/oauth2/revoke", {
      method: "POST",
      body: new URLSearchParams({ ...credentials(app), token: refreshToken })
    })
  })

  /**
   * Does something at an earlier time, after which the clock is right again. `TestClock` begins in 1970, before which
   * nothing is issued: it is put forward by as much.
   */
  const ago = <A, E, R>(duration: Duration.Duration, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const isPossible = clock.currentTimeMillisUnsafe() >= Duration.toMillis(duration)
      const back = Effect.acquireUseRelease(forward(Duration.negate(duration)), () => effect, () => forward(duration))
      return isPossible ? back : Effect.andThen(forward(duration), back)
    })

  return {
    consent,
    authorize,
    exchange,
    refresh,
    revoke,
    tokens,
    expiredTokens: Effect.fn("TestServer.expiredTokens")(function*(asking: Asking = {}) {
      const { app, user } = yield* parties(asking)
      return yield* ago(Duration.sum(accessTokenLifetime, Duration.minutes(1)), tokens({ ...asking, app, user }))
    }),
    revokedTokens: Effect.fn("TestServer.revokedTokens")((asking: Asking = {}) => Effect.tap(tokens(asking), revoke)),
    stolenTokens: Effect.fn("TestServer.stolenTokens")(function*(asking: Asking = {}) {
      const { app, user } = yield* parties(asking)
      const { kept, stolen } = yield* ago(
        beyondGrace,
        Effect.gen(function*() {
          const stolen = yield* tokens({ ...asking, app, user })
          const kept = yield* refresh(stolen)
          yield* refresh(kept)
          return { kept, stolen }
        })
      )
      // The thief is refused, and so is the app from then on.
      yield* Effect.exit(refresh(stolen))
      return kept
    })
  }
}

/** Longer than twice the longest `REFRESH_GRACE`, and shorter than the life of an access token. */
const beyondGrace = Duration.minutes(11)

const credentials = ({ clientId, clientSecret }: TestApp) => ({
  client_id: clientId,
  ...(clientSecret === undefined ? {} : { client_secret: clientSecret })
})

const decodeTokens = Schema.decodeUnknownEffect(Schema.fromJsonString(TokenResponse))

const textOf = (html: string) =>
  html.replace(/^.*<main[^>]*>/s, "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").slice(0, 300)
