import { assert, describe, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Services } from "../../src/app/Services.ts"
import { Account } from "../../src/core/accounts/people/Account.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { UserId } from "../../src/domain/Ids.ts"
import { browserUsers } from "../app/examples/BrowserUsers.ts"
import { newClient } from "../core/clients/Scenario.ts"
import { challenge, verifier } from "../core/tokens/Fixture.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as Live from "../support/LiveServer.ts"
import * as OidcProvider from "../support/OidcProvider.ts"
import { PlatformPages } from "../support/PlatformPages.ts"

/** A server whose users sign in elsewhere, and what they do there. */
class Way extends Context.Service<Way, {
  /** Goes from the platform's sign-in to the server. */
  readonly signIn: (page: Page) => Promise<unknown>
  /** Same for a user whom the server has forgotten half way. */
  readonly signInAgain: (page: Page) => Promise<unknown>
  /** Name of the user. */
  readonly name: string
  /** Ends the session of the user. */
  readonly endSession: (page: Page) => Effect.Effect<unknown, unknown, SqlClient.SqlClient>
}>()("slotkey/test/flows/SignInWays.test/Way") {}

const nothing = () => Promise.resolve()
const pressed = (page: Page) => page.getByRole("link", { name: "I am Uma" }).click()
const endSessions = () => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM sessions`)

const oidc = Layer.unwrap(Effect.map(OidcProvider.make, (platform) =>
  Layer.effect(
    Way,
    Effect.map(Live.LiveServer, ({ url }) => {
      platform.register(url)
      return {
        signIn: (page) => page.click("text=Sign in as u-1"),
        // The session at the provider goes on.
        signInAgain: nothing,
        name: "Uma User",
        endSession: endSessions
      }
    })
  ).pipe(Layer.provideMerge(Live.layer(platform.settings)))))

const handover = Layer.unwrap(
  Effect.map(
    PlatformPages,
    (platform) =>
      Layer.succeed(Way, { signIn: pressed, signInAgain: pressed, name: "Uma Ünal", endSession: endSessions }).pipe(
        Layer.provideMerge(Live.layer(platform.handover))
      )
  )
)

const proxy = Layer.unwrap(Effect.gen(function*() {
  const platform = yield* PlatformPages
  const assertion = yield* platform.assertion("7", "Uma of the proxy")
  return Layer.succeed(Way, {
    signIn: async (page) => {
      await page.context().setExtraHTTPHeaders({ "x-assertion": assertion })
      await page.reload()
    },
    signInAgain: nothing,
    name: "Uma of the proxy",
    endSession: endSessions
  }).pipe(Layer.provideMerge(Live.layer(platform.proxy)))
}))

const uma = new Account({
  id: UserId.make("uma"),
  email: "uma@platform.example",
  username: "uma",
  name: "Uma of the program",
  role: "user",
  avatarUrl: null,
  bio: null,
  timeFormat: 24,
  defaultScheduleId: null,
  weekStart: "Monday",
  timeZone: "Europe/Berlin",
  locale: "en",
  organizationId: null,
  createdAt: DateTime.makeUnsafe("2026-01-01T00:00:00Z")
})

const program = Layer.effect(
  Way,
  Effect.map(Live.LiveServer, ({ url }) => {
    // The program's cookie is for both hosts.
    const signIn = async (page: Page) => {
      await page.getByRole("link", { name: "I am Uma" }).waitFor()
      await page.context().addCookies([{ name: "platform_session", value: "s", url }])
      await pressed(page)
    }
    return {
      signIn,
      signInAgain: signIn,
      name: "Uma of the program",
      endSession: (page) => Effect.promise(() => page.context().clearCookies({ name: "platform_session" }))
    }
  })
).pipe(
  Layer.provideMerge(Live.layerWith(
    Layer.provideMerge(Services, browserUsers({ users: [uma], sessions: new Map([["s", "uma"]]) }))
  ))
)

const ways = [
  ["an OpenID Connect provider", oidc],
  ["a hand-over", handover],
  ["a proxy in front", proxy],
  ["a program with the server in it", program]
] as const

const redirectUri = "https://buddy.example/callback"

/** Opens the request of a new app. */
const begin = Effect.fnUntraced(function*(page: Page) {
  const { url } = yield* Live.LiveServer
  const people = { owner: UserId.make("owner"), reviewer: UserId.make("reviewer") }
  const registered = yield* newClient(people.owner, { redirectUris: [redirectUri] })
  const review = yield* ClientReview
  const client = yield* review.approve(people.reviewer, registered.client.id, registered.client.version)
  const request = {
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: client.scopes.join(" "),
    state: "ü/=",
    code_challenge: challenge,
    code_challenge_method: "S256"
  }
  yield* Effect.promise(() => page.goto(`${url}/auth/oauth2/authorize?${new URLSearchParams(request)}`))

  /** Allows the app on its question; answers the name of the user for whom it then gets a token. */
  return Effect.promise(async () => {
    assert.include(await page.innerText(".consent"), client.name)
    const sent = page.waitForRequest((request) => request.url().startsWith(redirectUri), { timeout: 60_000 })
    await page.click("button[value=allow]", { noWaitAfter: true })
    const callback = new URL((await sent).url()).searchParams
    assert.strictEqual(callback.get("state"), request.state)
    const answer = await fetch(`${url}/v2/auth/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: client.id,
        client_secret: Option.getOrThrow(Option.map(registered.secret, Redacted.value)),
        code: callback.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier
      })
    })
    const { access_token: token } = await answer.json()
    const me = await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${token}` } })
    return (await me.json()).data.name
  })
})

const Journeys = Layer.unwrap(Effect.map(PlatformPages, ({ flag }) => Browser.layer(flag))).pipe(
  Layer.provideMerge(Layer.merge(PlatformPages.layer, Live.database))
)

describe.skipIf(!isAvailable)("a user in a browser", () => {
  layer(Journeys, { excludeTestServices: true, timeout: 60_000 })("who signs in by way of", (it) => {
    for (const [what, way] of ways) {
      it.layer(way, { timeout: 60_000 })(what, (it) => {
        it.effect("allows an app, and another after losing the session half way", () =>
          Effect.gen(function*() {
            const { endSession, name, signIn, signInAgain } = yield* Way
            const first = yield* (yield* Browser).newPage()
            const allow = yield* begin(first)
            yield* Effect.promise(() => signIn(first))
            yield* Effect.promise(() => first.waitForSelector(".consent"))
            assert.strictEqual(yield* allow, name)

            // In another tab, because no app answers in the first.
            const page = yield* Effect.promise(() => first.context().newPage())
            const allowAnother = yield* begin(page)
            yield* Effect.promise(() => page.evaluate("document.body.id = 'before'"))
            yield* endSession(page)
            yield* Effect.promise(async () => {
              await page.click("button[value=allow]")
              await signInAgain(page)
              await page.waitForSelector("body:not(#before) .consent")
            })
            assert.strictEqual(yield* allowAnother, name)
          }), 60_000)
      })
    }
  })
})
