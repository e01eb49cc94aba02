import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import type { Client } from "../../../src/core/clients/records/Client.ts"
import { matches } from "../../../src/core/clients/records/RedirectUri.ts"
import {
  type AuthorizationRequest,
  readRequest,
  type Unredirectable,
  validateClient,
  validateRequest,
  validateScope
} from "../../../src/core/consent/AuthorizationRequest.ts"
import * as AuthorizationResponse from "../../../src/core/consent/AuthorizationResponse.ts"
import type { RequestRule } from "../../../src/core/consent/RequestRule.ts"
import { catalogue, isSubset } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn, type Catalogue } from "../../../src/domain/catalogue/Catalogue.ts"
import { retiring } from "../../domain/catalogue/RetiringCatalogue.ts"
import { app, challenge, query } from "./Fixture.ts"

const issuer = "https://slotkey.test"

interface Outcome {
  readonly page?: Unredirectable["reason"]
  readonly rule?: RequestRule
  readonly error?: string
  readonly location?: string
  readonly request?: AuthorizationRequest
}

/** Outcome of a signed-in user's request: an error page, an error for the app, or a valid request. */
const authorize = (
  text: string,
  client: Client = app(),
  by: Catalogue = builtIn(),
  now: string = "2026-11-21T00:00:00Z",
  resource: Parameters<typeof validateRequest>[3] = Result.succeed(null)
): Outcome => {
  const asked = Result.flatMap(
    readRequest(text),
    (query) =>
      Result.map(
        validateClient(query.clientId === client.id ? Option.some(client) : Option.none(), query.redirectUri),
        (client) => ({ query, client })
      )
  )
  if (Result.isFailure(asked)) return { page: asked.failure.reason }
  const { query } = asked.success
  const at = DateTime.makeUnsafe(now)
  return Result.match(validateRequest(by, asked.success.client, query, resource, new Set(["MAIL_READ"]), at), {
    onFailure: ({ error, rule }) => ({
      rule,
      error: error.error,
      location: AuthorizationResponse.withError(query, error, issuer)
    }),
    onSuccess: (request) => ({ request })
  })
}

describe("An error that only the user may see", () => {
  it.each([
    ["an unknown client", query({ client_id: "other" }), "client-unknown"],
    ["no client", query({ client_id: undefined }), "client-missing"],
    ["an empty client", query({ client_id: "" }), "client-missing"],
    ["two clients", `${query()}&client_id=slk_client_1`, "client-repeated"],
    ["a client named twice, once without a value", `client_id=&${query()}`, "client-repeated"],
    ["no address", query({ redirect_uri: undefined }), "redirect-uri-missing"],
    ["two addresses", `${query()}&redirect_uri=https%3A%2F%2Fevil.example`, "redirect-uri-repeated"],
    ["an address that is not registered", query({ redirect_uri: "https://evil.example" }), "redirect-uri-unregistered"],
    ["a longer address", query({ redirect_uri: "https://app.example/callback/x" }), "redirect-uri-unregistered"],
    ["a broken escape", `${query()}&x=%zz`, "query-malformed"],
    ["invalid UTF-8", query({ state: undefined }) + "&state=%ff", "query-malformed"],
    ["a NUL", `${query()}&x=%00`, "query-malformed"],
    ["nothing at all", "", "client-missing"]
  ])("is %s", (_, text, reason) => assert.strictEqual(authorize(text).page, reason))

  it.each(["pending", "rejected", "suspended"] as const)(
    "is a %s client",
    (status) => assert.deepStrictEqual(authorize(query(), app({ status })), { page: `client-${status}` })
  )
})

describe("An error for the app (RFC 6749 §4.1.2.1)", () => {
  it.each(
    [
      ["a repeated parameter", `${query()}&foo=1&foo=1`, "invalid_request", "parameter-repeated"],
      ["a repeated scope", `${query()}&scope=PROFILE_READ`, "invalid_request", "parameter-repeated"],
      [
        "another response type",
        query({ response_type: "token" }),
        "unsupported_response_type",
        "response-type-unsupported"
      ],
      ["a response as a form", `${query()}&response_mode=form_post`, "invalid_request", "response-mode-unsupported"],
      [
        "a response in the fragment",
        `${query()}&response_mode=fragment`,
        "invalid_request",
        "response-mode-unsupported"
      ],
      [
        "the plain method",
        query({ code_challenge: challenge, code_challenge_method: "plain" }),
        "invalid_request",
        "challenge-method-unsupported"
      ],
      [
        "an unknown method",
        query({ code_challenge: challenge, code_challenge_method: "S512" }),
        "invalid_request",
        "challenge-method-unsupported"
      ],
      [
        "a method in lower case",
        query({ code_challenge: challenge, code_challenge_method: "s256" }),
        "invalid_request",
        "challenge-method-unsupported"
      ],
      [
        "a method without a challenge",
        query({ code_challenge_method: "S256" }),
        "invalid_request",
        "challenge-missing"
      ],
      ["a short challenge", query({ code_challenge: challenge.slice(1) }), "invalid_request", "challenge-malformed"],
      ["a padded challenge", query({ code_challenge: `${challenge}=` }), "invalid_request", "challenge-malformed"],
      ["no scope", query({ scope: undefined }), "invalid_scope", "scope-missing"],
      ["an empty scope", query({ scope: "" }), "invalid_scope", "scope-missing"],
      ["separators alone", query({ scope: " , " }), "invalid_scope", "scope-missing"],
      ["an unknown scope", query({ scope: "PROFILE_READ openid" }), "invalid_scope", "scope-unknown"],
      ["a scope in lower case", query({ scope: "profile_read" }), "invalid_scope", "scope-unknown"],
      [
        "a scope that is not registered for the app",
        query({ scope: "PROFILE_READ WEBHOOK_READ" }),
        "invalid_scope",
        "scope-unregistered"
      ]
    ] as const
  )("refuses %s", (_, text, error, rule) => {
    const refused = authorize(text)
    assert.deepStrictEqual([refused.error, refused.rule], [error, rule])
  })

  it("lets an app that registered an ORG_ scope request the TEAM_ scope that it covers", () => {
    const client = app({ scopes: ["ORG_BOOKING_READ"] })
    const { request } = authorize(query({ scope: "TEAM_BOOKING_READ" }), client)
    assert.deepStrictEqual(request?.scopes, ["TEAM_BOOKING_READ"])
    assert.strictEqual(authorize(query({ scope: "TEAM_BOOKING_WRITE" }), client).error, "invalid_scope")
    assert.strictEqual(authorize(query({ scope: "BOOKING_READ" }), client).error, "invalid_scope")
  })

  it("wants a challenge of a public client", () => {
    const client = app({ kind: "public" })
    assert.strictEqual(authorize(query(), client).error, "invalid_request")
    assert.strictEqual(authorize(query({ code_challenge: challenge }), client).request?.codeChallenge, challenge)
  })

  it("asks nothing of the response mode of an app from the previous server", () => {
    const text = `${query()}&response_mode=form_post`
    assert.isDefined(authorize(text, app({ legacy: true, scopes: [] })).request)
    assert.isDefined(authorize(text, app({ migratedAt: DateTime.makeUnsafe(0) })).request)
  })

  it("carries error, description, state and issuer", () => {
    const { location = "" } = authorize(query({ scope: "A\"B WRONG", state: "a b+c&d=\u00e9%" }))
    const { searchParams } = new URL(location)
    assert.deepStrictEqual(Object.fromEntries(searchParams), {
      error: "invalid_scope",
      error_description: "scope names what does not exist: WRONG",
      state: "a b+c&d=\u00e9%",
      iss: issuer
    })
  })

  it("keeps back a repeated state", () => {
    const { location = "" } = authorize(`${query()}&state=abc`)
    assert.isFalse(new URL(location).searchParams.has("state"))
  })
})

describe("A valid request", () => {
  it.each([
    ["spaces", "PROFILE_READ BOOKING_READ"],
    ["commas", "PROFILE_READ,BOOKING_READ"],
    ["both, and duplicates", " PROFILE_READ, BOOKING_READ,,BOOKING_READ"]
  ])(
    "takes scopes with %s",
    (_, scope) => assert.deepStrictEqual(authorize(query({ scope })).request?.scopes, ["BOOKING_READ", "PROFILE_READ"])
  )

  it("needs no response_type and no method, and ignores what it does not know", () =>
    assert.deepStrictEqual(
      authorize(
        query({
          response_type: undefined,
          response_mode: "query",
          code_challenge: challenge,
          nonce: "1",
          prompt: ""
        })
      ).request,
      {
        clientId: app().id,
        redirectUri: "https://app.example/callback",
        scopes: ["PROFILE_READ"],
        resource: null,
        state: "xyz",
        codeChallenge: challenge
      }
    ))

  it("lets the port of a loopback address vary", () => {
    const redirectUri = "http://localhost:51234/cb?keep=1"
    assert.strictEqual(authorize(query({ redirect_uri: redirectUri })).request?.redirectUri, redirectUri)
  })
})

describe("A legacy client (specification §5.6)", () => {
  const legacy = app({ legacy: true, scopes: [] })

  it("may ask for everything, or for less", () => {
    assert.isNull(authorize(query({ scope: undefined }), legacy).request?.scopes)
    assert.deepStrictEqual(authorize(query({ scope: "ORG_BOOKING_READ" }), legacy).request?.scopes, [
      "ORG_BOOKING_READ"
    ])
  })

  it("may name words of the old server, which count for nothing", () => {
    assert.isNull(authorize(query({ scope: "openid" }), legacy).request?.scopes)
    assert.isNull(authorize(query({ scope: "," }), legacy).request?.scopes)
    assert.deepStrictEqual(authorize(query({ scope: "openid PROFILE_READ" }), legacy).request?.scopes, ["PROFILE_READ"])
  })

  it("is refused what looks like a scope mistyped, unless the setting or the app's import lists it", () => {
    const listed = app({ legacy: true, scopes: [], scopeWords: ["TEAM_READ"] })
    assert.strictEqual(authorize(query({ scope: "TEAM_READ" }), legacy).error, "invalid_scope")
    assert.isNull(authorize(query({ scope: "TEAM_READ MAIL_READ" }), listed).request?.scopes)
    assert.isNull(authorize(query({ scope: "MAIL_READ" }), legacy).request?.scopes)
  })

  it("is told which words are refused once its scopes are saved", () => {
    const saved = app({ legacy: false, migratedAt: app().createdAt, scopeWords: ["TEAM_READ"] })
    const { location = "" } = authorize(query({ scope: "openid TEAM_READ https://old.example/x PROFILE_READ" }), saved)
    const { searchParams } = new URL(location)
    assert.strictEqual(searchParams.get("error"), "invalid_scope")
    assert.strictEqual(
      searchParams.get("error_description"),
      "scope names what does not exist: openid TEAM_READ https://old.example/x; words of the previous server are refused since the app's scopes were saved"
    )
  })

  it("is validated once its scopes are saved", () => {
    const saved = app({ legacy: true })
    assert.strictEqual(authorize(query({ scope: undefined }), saved).error, "invalid_scope")
    assert.strictEqual(authorize(query({ scope: "WEBHOOK_READ" }), saved).error, "invalid_scope")
    assert.isTrue(Result.isFailure(validateScope(builtIn(), saved, null)))
  })
})

describe("Any request", () => {
  const Address = Schema.Union([
    Schema.String,
    Schema.Literals([
      "https://app.example/callback",
      "https://app.example/callback#",
      "https://app.example/callback?",
      "https://app.example@evil.example/callback",
      "https://app.example.evil.example/callback",
      "//evil.example",
      "http://localhost:80/cb?keep=1",
      "http://localhost:80@evil.example/cb?keep=1",
      "http://localhost.evil.example/cb?keep=1",
      "com.example.app:/cb",
      "javascript:alert(1)"
    ])
  ])
  const Text = Schema.Union([Schema.String, Schema.Literals(["PROFILE_READ", "S256", "code", challenge, "a&iss=x#"])])
  const names = ["client_id", "redirect_uri", "scope", "state", "code_challenge", "response_type", "code"] as const
  const Pairs = Schema.Array(Schema.Tuple([Schema.Literals(names), Text]))
  const Kind = Schema.Struct({
    kind: Schema.Literals(["confidential", "public"]),
    status: Schema.Literals(["approved", "approved", "pending", "suspended"]),
    legacy: Schema.Boolean
  })
  const encode = (text: string) => encodeURIComponent(text.toWellFormed())

  it.prop("never redirects to an unregistered URI", [Address, Pairs, Kind], ([address, pairs, kind]) => {
    const client = app(kind)
    const text = [
      `client_id=${client.id}`,
      `redirect_uri=${encode(address)}`,
      ...pairs.filter(([name]) => name !== "client_id").map(([name, value]) => `${name}=${encode(value)}`)
    ].join("&")
    const { location, request } = authorize(text, client)
    if (location === undefined && request === undefined) return true
    const target = request?.redirectUri ?? location!.slice(0, location!.search(/[?&]error=/))
    return client.status === "approved" && matches(client.redirectUris, target) && !location?.includes("#")
  })

  it.prop("returns the state as it was sent, and the issuer once", [Schema.String], ([state]) => {
    const { location = "" } = authorize(query({ state: state.toWellFormed().replaceAll("\0", "?"), scope: undefined }))
    const answered = new URL(location).searchParams
    return (answered.get("state") ?? "") === state.toWellFormed().replaceAll("\0", "?") &&
      answered.getAll("iss").join() === issuer && answered.getAll("error").join() === "invalid_scope"
  })

  it.prop(
    "requests no scope that the app has not registered",
    [Schema.Array(Schema.Literals(catalogue))],
    ([scopes]) => {
      const { request } = authorize(query({ scope: scopes.join(",") }))
      return (request !== undefined) === (scopes.length > 0 && isSubset(scopes, app().scopes))
    }
  )
})

describe("A request for a scope that is retired", () => {
  const [lastDay, dayAfter] = ["2027-01-31T23:59:59.999Z", "2027-02-01T00:00:00.000Z"] as const
  const ask = (scope: string, now: string, client = app({ scopes: ["crm", "contacts.read", "alone"] })) =>
    authorize(query({ scope }), client, retiring, now)
  const refused = ({ error, rule }: Outcome) => [error, rule]

  it("is valid to the end of the last day, and refused from the next one on, whatever else it names", () => {
    assert.deepStrictEqual(ask("crm", lastDay).request?.scopes, ["crm"])
    for (const scope of ["crm", "contacts.read crm"]) {
      assert.deepStrictEqual(refused(ask(scope, dayAfter)), ["invalid_scope", "scope-retired"], scope)
    }
    const { location = "" } = ask("contacts.read crm", dayAfter)
    assert.strictEqual(
      new URL(location).searchParams.get("error_description"),
      "scope names crm, retired and not to be asked for after 2027-01-31: use contacts.read and contacts.write instead"
    )
    assert.deepStrictEqual(ask("contacts.read", dayAfter).request?.scopes, ["contacts.read"])
    // It has no last day.
    assert.deepStrictEqual(ask("alone", dayAfter).request?.scopes, ["alone"])
  })

  it("names each of several in the words that RFC 6749 §4.1.2.1 allows", () => {
    const { location = "" } = ask("crm older", dayAfter, app({ scopes: ["crm", "older"] }))
    const description = new URL(location).searchParams.get("error_description") ?? ""
    assert.match(description, /^scope names crm, .*; older, .* after 2026-12-31: use contacts.read and contacts.write/)
    assert.match(description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it("is that of an app that has it: another one has not registered it", () => {
    const other = app({ scopes: ["contacts.read", "contacts.write"] })
    assert.deepStrictEqual(refused(ask("crm", lastDay, other)), ["invalid_scope", "scope-unregistered"])
    // What it stands for is registered with it.
    assert.deepStrictEqual(ask("contacts.write", dayAfter).request?.scopes, ["contacts.write"])
  })

  it("ends for a legacy app as well, which goes on to ask for everything", () => {
    const legacy = app({ scopes: [], legacy: true })
    assert.deepStrictEqual(ask("crm", lastDay, legacy).request?.scopes, ["crm"])
    assert.deepStrictEqual(refused(ask("crm", dayAfter, legacy)), ["invalid_scope", "scope-retired"])
    assert.isNull(authorize(query({ scope: undefined }), legacy, retiring, dayAfter).request?.scopes)
  })

  it("that was asked in time may be answered later", () =>
    assert.isTrue(Result.isSuccess(validateScope(retiring, app({ scopes: ["crm"] }), ["crm"]))))
})

describe("The location of a response", () => {
  const location = (redirectUri: string, state: string | null) =>
    Result.match(validateScope(builtIn(), app(), null), {
      onFailure: ({ error }) => AuthorizationResponse.withError({ redirectUri, state }, error, issuer),
      onSuccess: () => ""
    })

  it.each([
    ["https://app.example/cb", "https://app.example/cb?error="],
    ["https://app.example/cb?", "https://app.example/cb?error="],
    ["https://app.example/cb?a=%20b", "https://app.example/cb?a=%20b&error="],
    ["https://app.example/cb?a&", "https://app.example/cb?a&error="],
    ["com.example.app:/cb", "com.example.app:/cb?error="]
  ])("keeps %s", (redirectUri, start) => assert.isTrue(location(redirectUri, null).startsWith(start)))

  it.each(["a+b", "a%20b", "a/b==", "%7B%22x%22%3A1%7D", "%c3%a9"])(
    "keeps the state %s byte for byte",
    (state) => assert.isTrue(location("https://app.example/cb", state).includes(`&state=${state}&iss=`))
  )

  it("escapes in a state what would end the query", () =>
    assert.isTrue(location("https://app.example/cb", "a#b\"<\u00e9").includes("&state=a%23b%22%3C%C3%A9&iss=")))
})
