import { start } from "slotkey/testing"

let slotkey

beforeAll(async () => {
  slotkey = await start()
})
beforeEach(() => slotkey.reset())
afterAll(() => slotkey.stop())

const call = async ({ accessToken }) => {
  const { status } = await slotkey.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
  return status
}

test("refuses a token that the app has revoked", async () => {
  expect(await call(await slotkey.tokens())).toBe(200)
  expect(await call(await slotkey.revokedTokens())).toBe(401)
})

test("tells the owner that the app was approved", async () => {
  const app = await slotkey.app({ status: "pending" })
  await slotkey.decide(app, "approve")
  const mails = await slotkey.mails()
  expect(mails.map(({ to }) => to.address)).toContain(app.owner.email)
})
