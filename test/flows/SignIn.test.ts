import { Auth, type AuthConfig } from "@auth/core"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import grant from "grant"
import { recipes } from "../../src/doors/portal/Recipes.ts"
import { codeOnPage, saved } from "../support/AppPage.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"

const app = "https://buddy.example"

/** An app that users sign in to by the recipe on its page: the module that the recipe is, and a browser at the app. */
const signInApp = Effect.fnUntraced(function*(title: string) {
  const { file = "", signIn = "" } = recipes.find((recipe) => recipe.title === title) ?? {}
  const { client, owner, secret } = yield* Live.newApp({ redirectUris: [`${app}/api${signIn}`] })
  const program = yield* saved(file, yield* codeOnPage(owner, client.id, `Code for ${title}`))
  Object.assign(process.env, { CLIENT_SECRET: secret, BETTER_AUTH_URL: app, BETTER_AUTH_SECRET: "a".repeat(32) })
  return { module: yield* Effect.promise(() => import(program)), browser: browserAt() }
})

/** A browser that keeps the cookies of one app, whose pages a handler answers. */
const browserAt = () => {
  const cookies = new Map<string, string>()
  return async (handler: (request: Request) => Promise<Response>, url: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
    headers.set("origin", app)
    const response = await handler(new Request(new URL(url, app), { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

const json = (response: Response) => Effect.promise(() => response.json())

layer(Live.layer(), { excludeTestServices: true })("users sign in to an app", (it) => {
  it.effect("with Auth.js by the recipe of the app's page", () =>
    Effect.gen(function*() {
      const { browser, module } = yield* signInApp("Auth.js")
      const user = yield* Live.newAccount()
      const config: AuthConfig = {
        basePath: "/api/auth",
        providers: [module.slotkey],
        secret: "a".repeat(32),
        trustHost: true
      }
      const visit = (path: string | URL, init?: RequestInit) =>
        Effect.promise(() => browser((request) => Auth(request, config), path, init))
      const { csrfToken } = yield* Effect.flatMap(visit("/api/auth/csrf"), json)
      const asked = yield* visit("/api/auth/signin/slotkey", {
        method: "POST",
        body: new URLSearchParams({ csrfToken, callbackUrl: `${app}/home` })
      })
      const answered = yield* visit(yield* decide(user, asked.headers.get("location") ?? "", "allow"))
      assert.strictEqual(answered.headers.get("location"), `${app}/home`)
      const session = yield* Effect.flatMap(visit("/api/auth/session"), json)
      assert.deepInclude(session.user, { name: user.name, email: user.email })
    }))

  it.effect("with better-auth by the recipe of the app's page", () =>
    Effect.gen(function*() {
      const { browser, module } = yield* signInApp("better-auth")
      const user = yield* Live.newAccount()
      const visit = (path: string | URL, init?: RequestInit) =>
        Effect.promise(() => browser(module.auth.handler, path, init))
      const asked = yield* visit("/api/auth/sign-in/social", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ provider: "slotkey", callbackURL: "/home" })
      })
      const { url } = yield* json(asked)
      const answered = yield* visit(yield* decide(user, url, "allow"))
      assert.strictEqual(answered.headers.get("location"), "/home")
      const session = yield* Effect.flatMap(visit("/api/auth/get-session"), json)
      assert.deepInclude(session.user, { name: user.name, email: user.email, emailVerified: true })
    }))

  it.effect("with grant", () =>
    Effect.gen(function*() {
      const { url } = yield* Live.LiveServer
      const { client, secret } = yield* Live.newApp({ redirectUris: [`${app}/connect/slotkey/callback`] })
      const user = yield* Live.newAccount()
      const handler = grant.default({
        handler: "express",
        config: {
          defaults: { origin: app, transport: "state", state: true, pkce: true },
          slotkey: {
            oauth: 2,
            authorize_url: `${url}/auth/oauth2/authorize`,
            access_url: `${url}/v2/auth/oauth2/token`,
            profile_url: `${url}/v2/auth/oauth2/userinfo`,
            key: client.id,
            secret,
            scope: "PROFILE_READ",
            response: ["tokens", "profile"]
          }
        }
      })
      const session = {}
      const visit = (address: URL) =>
        Effect.callback<unknown>((resume) => {
          const query = Object.fromEntries(address.searchParams)
          const locals: { grant?: { readonly response?: unknown } } = {}
          const redirect = (location: string) => resume(Effect.succeed(location))
          handler(
            { method: "GET", originalUrl: address.pathname + address.search, query, session },
            { locals, redirect },
            () => resume(Effect.succeed(locals.grant?.response))
          )
        })
      const asked = yield* visit(new URL("/connect/slotkey", app))
      const answer = yield* visit(yield* decide(user, String(asked), "allow"))
      assert.nestedPropertyVal(answer, "profile.sub", user.id)
      assert.nestedProperty(answer, "refresh_token")
    }))
})
