import { Effect } from "effect"
import { catalogue } from "../src/domain/catalogue/BuiltInScope.ts"
import * as Live from "../test/support/LiveServer.ts"
import type { Dice } from "./Dice.ts"
import { type App, challenge, newEmail, verifier, type World } from "./World.ts"

/** Names of values that are secrets: what is sent under them must not come back. */
export const isSecret = (name: string): boolean => /password|secret$|^code$|token$|code_verifier/i.test(name)

/**
 * A right value for a parameter, a field of a form or a property of a body, by its name; `undefined` if none is known.
 */
export const known = (name: string, app: App, world: World, dice: Dice) =>
  Effect.gen(function*() {
    switch (name) {
      case "code":
        return yield* world.code
      case "name":
        return `Wall display ${dice.below(1_000)}`
      case "host":
        return "other.example"
      case "app":
        return world.apps[0].id
      case "draft":
        return world.draft
      case "credentialId":
        return world.resource.credentialId
      case "identifier":
        return `https://mcp-${dice.below(1_000)}.example/mcp`
      case "resource":
        return dice.chance(0.6) ? world.url : world.resource.identifier
      case "batch":
        return crypto.randomUUID()
      case "grant":
        return world.reporter.grant
      case "accountId":
        return world.admin.account.id
      case "guest":
      case "person":
      case "email":
        return dice.chance(0.5) ? world.developer.account.email : newEmail()
      case "scopes":
      case "optionalScopes":
      case "baseScopes":
        return dice.pickAny(catalogue)
      // The first app has a grant without this scope, so the user is asked.
      case "scope":
        return dice.chance(0.8) ? "BOOKING_READ" : dice.pickAny(catalogue)
      case "redirectUris":
      case "redirectUris.0":
      case "redirect_uri":
        return app.redirectUri
      case "x-original-uri":
      case "x-forwarded-uri":
      case "call":
        return dice.pick(["/v2/bookings", "/v2/me", "/v2/schedules/5", "/v2/none", "/v2/bookings/%2e%2e/me"])
      default:
        return fixed(name, app, dice)
    }
  })

const fixed = (name: string, app: App, dice: Dice): string | undefined => {
  const values: Readonly<Record<string, string>> = {
    id: app.id,
    client_id: app.id,
    secretId: app.secretId,
    client_secret: app.secret,
    secret: app.secret,
    refresh_token: app.refreshToken,
    token: dice.pick([app.accessToken, app.refreshToken]),
    code_verifier: verifier,
    code_challenge: challenge,
    code_challenge_method: "S256",
    response_type: "code",
    grant_type: dice.pick(["authorization_code", "refresh_token"]),
    state: "any-random-text",
    password: Live.password,
    current: Live.password,
    repeated: Live.password,
    kind: dice.pick(["confidential", "public"]),
    role: dice.pick(["user", "reviewer", "admin", "owner", "developer"]),
    purpose: "Shows the bookings of the day at the door.",
    tagline: "Shows today's bookings.",
    website: "https://app.example",
    privacyUrl: "https://app.example/privacy",
    termsUrl: "https://app.example/terms",
    contact: "help@app.example",
    logoUrl: "https://pictures.example/logo.png",
    url: "https://app.example/events",
    text: "Whose door is it?",
    reason: "The website does not answer.",
    version: String(1 + dice.below(3)),
    page: String(dice.below(3)),
    search: "display",
    error: dice.pick(["invalid_grant", "invalid_client", "redirect-uri-unregistered"]),
    endpoint: dice.pick(["authorize", "token"]),
    need: dice.pick(["PROFILE_READ", "BOOKING_READ", "APPS_READ+APPS_WRITE", "*", ""]),
    operation: dice.pick(["GET /v2/bookings", "GET /none"]),
    calls: String(1 + dice.below(3)),
    first: "60",
    last: "5",
    since: dice.pick(["2026-03-01", "2026-03-01T10:00:00Z"]),
    "x-original-method": "GET",
    "x-forwarded-method": "GET"
  }
  return values[name]
}
