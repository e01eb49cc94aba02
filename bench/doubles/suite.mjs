import assert from "node:assert/strict"
import { makeApi } from "./api.mjs"

// The same suite for each double. A double shows a case if its own server makes it come out so.

const scopes = ["BOOKING_READ"]

/** Each case with what it is called in the table. */
const cases = {
  "tokens for the scopes asked for": async ({ tokens }) => {
    const issued = (await tokens(["BOOKING_READ", "PROFILE_READ"])).scopes
    for (const scope of ["BOOKING_READ", "PROFILE_READ"]) assert.ok(issued.includes(scope), `issued: ${issued}`)
  },
  "200 for a call": async ({ call, tokens }) => assert.equal(await call(await tokens(scopes)), 200),
  "403 with too few scopes": async ({ call, tokens }) => assert.equal(await call(await tokens(["PROFILE_READ"])), 403),
  "401 after revocation": async ({ call, double, tokens }) => {
    const revoked = await tokens(scopes)
    await double.revoke(revoked)
    assert.equal(await call(revoked), 401)
  },
  "401 if introspection says so": async ({ call, double, tokens }) => {
    const revoked = await tokens(scopes)
    await (double.pretendRevoked ?? double.revoke)(revoked)
    assert.equal(await call(revoked), 401)
  },
  "a refresh": async ({ call, double, tokens }) => {
    const first = await tokens(scopes)
    const next = await double.refresh(first)
    assert.notEqual(next.refreshToken, first.refreshToken)
    assert.equal(await call(next), 200)
  },
  "a refresh token used twice is refused": async ({ double, tokens }) => {
    const first = await tokens(scopes)
    await double.refresh(await double.refresh(first))
    await assert.rejects(double.refresh(first))
  },
  "… and ends the connection": async ({ call, double, tokens }) => {
    const first = await tokens(scopes)
    const kept = await double.refresh(await double.refresh(first))
    await double.refresh(first).catch(() => undefined)
    assert.equal(await call(kept), 401)
    await assert.rejects(double.refresh(kept))
  },
  "a user who refuses": async ({ double }) =>
    assert.equal((await double.authorize({ scopes: ["BOOKING_READ"], decision: "deny" })).error, "access_denied"),
  "a wrong code_verifier is refused": async ({ double }) => {
    const authorized = await double.authorize({ scopes })
    await assert.rejects(double.exchange({ ...authorized, codeVerifier: "a".repeat(43) }))
  },
  "a code used twice is refused": async ({ double }) => {
    const authorized = await double.authorize({ scopes })
    await double.exchange(authorized)
    await assert.rejects(double.exchange(authorized))
  },
  "an ID token": async ({ tokens }) => assert.ok((await tokens(["openid", "BOOKING_READ"])).idToken),
  // The last, because no double sets its clock back.
  "401 after the token's time": async ({ call, double, tokens }) => {
    const expired = await tokens(scopes)
    assert.equal(await call(expired), 200)
    await double.advance(61 * 60_000)
    assert.equal(await call(expired), 401)
  }
}

/** Runs all cases; answers for each why it did not come out, or nothing. */
export const run = async (double) => {
  const call = await makeApi(double)
  const tokens = async (scopes) => double.exchange(await double.authorize({ scopes }))
  const outcomes = {}
  for (const [name, test] of Object.entries(cases)) {
    outcomes[name] = await test({ call, double, tokens }).then(() => "", (error) => String(error?.message ?? error))
  }
  return outcomes
}
