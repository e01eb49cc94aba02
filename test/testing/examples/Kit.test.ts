import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { start, type StartedTestServer } from "../../../src/testing.ts"

let slotkey: StartedTestServer

beforeAll(async () => {
  slotkey = await start()
}, 60_000)
beforeEach(() => slotkey.reset())
afterAll(() => slotkey.stop())

const call = async (accessToken: string) =>
  (await slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })).status

it("refuses a token after half an hour", async () => {
  const { accessToken } = await slotkey.tokens({ scopes: ["PROFILE_READ"] })
  expect(await call(accessToken)).toBe(200)
  await slotkey.advance("31 minutes")
  expect(await call(accessToken)).toBe(401)
})

it("tells the user of an app whose token was stolen", async () => {
  const { accessToken, app, user } = await slotkey.stolenTokens()
  expect(await call(accessToken)).toBe(401)
  const mails = (await slotkey.mails()).filter(({ to }) => to.address === user.email)
  expect(mails.at(-1)?.subject).toBe(`We ended the access of “${app.name}”`)
})

it("tells the owner why an app was rejected", async () => {
  const app = await slotkey.app({ status: "pending" })
  await slotkey.decide(app, "reject", "The purpose is too vague.")
  const [mail] = await slotkey.mails()
  expect(mail?.text).toContain("The purpose is too vague.")
})

it("sends a user who refuses back to the app", async () => {
  const { error, location } = await slotkey.authorize({ decision: "deny" })
  expect(error).toBe("access_denied")
  expect(location.href).toMatch(/^https:\/\/app\.example\/callback\?/)
})
