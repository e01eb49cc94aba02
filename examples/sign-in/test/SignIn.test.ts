import { start, type StartedTestServer } from "slotkey/testing"
import { afterAll, beforeAll, expect, it } from "vitest"
import { authHandler } from "../src/auth.ts"
import { profileHandler } from "../src/profile.ts"

let slotkey: StartedTestServer

beforeAll(async () => {
  slotkey = await start()
}, 300_000)
afterAll(() => slotkey.stop())

/** App at an address as its users' browsers see it: its routes, and the cookies that one browser keeps. */
const newBrowser = async (origin = "https://app.example") => {
  const app = await slotkey.app({ scopes: ["PROFILE_READ"], redirectUri: `${origin}/api/auth/callback/slotkey` })
  const settings = {
    server: slotkey.url,
    clientId: app.clientId,
    clientSecret: app.clientSecret ?? "",
    sessionSecret: "a secret of the app of 32 letters",
    fetch: slotkey.fetch
  }
  const auth = authHandler(settings)
  const profile = profileHandler(settings)
  const cookies = new Map<string, string>()

  const visit = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const request = new Request(new URL(path, origin), { ...init, headers: { cookie, origin } })
    const response = await (request.url === `${origin}/api/me` ? profile : auth)(request)
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Signs in as the user, who allows the app on Slotkey's page. */
  const signIn = async () => {
    const user = await slotkey.user({ name: "Ada Lovelace" })
    const session = await slotkey.session(user)
    const { csrfToken } = await (await visit("/api/auth/csrf")).json()
    const asks = await visit("/api/auth/signin/slotkey", {
      method: "POST",
      body: new URLSearchParams({ csrfToken, callbackUrl: `${origin}/home` })
    })
    const address = asks.headers.get("location") ?? ""
    const page = await (await slotkey.fetch(address, { headers: { cookie: session.cookie } })).text()
    const request = /name="request" value="([^"]*)"/.exec(page)?.[1] ?? ""
    const allowed = await slotkey.submit(session, "/auth/oauth2/decision", { request, decision: "allow" })
    const back = await visit(allowed.headers.get("location") ?? "")
    expect(back.headers.get("location")).toBe(`${origin}/home`)
    return { app, user }
  }

  return { visit, signIn }
}

it("signs users in, and keeps the tokens from the page", async () => {
  const { signIn, visit } = await newBrowser()
  const { user } = await signIn()
  const session = await (await visit("/api/auth/session")).json()
  expect(session.user).toMatchObject({ name: "Ada Lovelace", email: user.email })
  expect(JSON.stringify(session)).not.toMatch(/token/i)
})

it("calls the API for the user, after half an hour with new tokens", async () => {
  const { signIn, visit } = await newBrowser()
  expect((await visit("/api/me")).status).toBe(401)
  const { user } = await signIn()
  for (const _ of [1, 2, 3]) {
    const { data } = await (await visit("/api/me")).json()
    expect(data).toMatchObject({ email: user.email })
    await slotkey.advance("31 minutes")
  }
})

it("does the same on the machine of its developer, without TLS", async () => {
  const { signIn, visit } = await newBrowser("http://localhost:3001")
  const { app, user } = await signIn()
  await slotkey.advance("31 minutes")
  const { data } = await (await visit("/api/me")).json()
  expect(data).toMatchObject({ email: user.email })
  await slotkey.decide(app, "suspend", "The app is under investigation.")
  expect((await visit("/api/me")).status).toBe(401)
  expect(await (await visit("/api/auth/session")).json()).toBeNull()
})

it("keeps the session while there are no new tokens to be had", async () => {
  const { signIn, visit } = await newBrowser()
  await signIn()
  await slotkey.advance("31 minutes")
  expect((await slotkey.whileDatabaseIsAway(() => visit("/api/me"))).status).toBe(503)
  expect((await visit("/api/me")).status).toBe(200)
})

it("ends the session when the app may not call any more", async () => {
  const { signIn, visit } = await newBrowser()
  const { app } = await signIn()
  await slotkey.decide(app, "suspend", "The app is under investigation.")
  expect((await visit("/api/me")).status).toBe(401)
  expect(await (await visit("/api/auth/session")).json()).toBeNull()
})
