import { assert } from "@effect/vitest"
import { type DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { RegistrationInput } from "../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import type { UserId } from "../../src/domain/Ids.ts"
import type { GrantedScopes } from "../../src/domain/scopes/Scope.ts"
import * as Testing from "../../src/testing.ts"
import { newAccount, newClient } from "../core/clients/Scenario.ts"
import { challenge, redirectUri, verifier } from "../core/tokens/Fixture.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** Whole server, in the process of the test and on a database of its own, with another catalogue where one is given. */
export const layer = (env: Readonly<Record<string, string>> = {}, catalogue?: object) =>
  LegacyImport.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(Testing.layer({ ...TestDatabase.patient, ...env }, catalogue), HttpServer.layerServices)
    ),
    Layer.provideMerge(TestDatabase.layer)
  )

type Fields = Readonly<Record<string, string | undefined>>

/** A request as a test has sent it. */
export interface Sent {
  readonly path: string
  readonly headers: Headers
  readonly body: RequestInit["body"]
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

/** An answer with its request. */
export interface Exchange extends Answer {
  readonly sent: Sent
}

/** A client of the server behind `send`. */
export const serverClientOf = (send: Testing.Send) => {
  const ask = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
    const request = new Request(`https://slotkey.test${path}`, { redirect: "manual", ...init })
    const sent = { path, headers: request.headers, body: init.body }
    const response = yield* send(request)
    const text = yield* Effect.promise(() => response.text())
    const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {}
    return { sent, status: response.status, headers: response.headers, text, json } satisfies Exchange
  })
  const post = (path: string, fields: Fields, headers: Record<string, string> = {}) =>
    ask(path, { method: "POST", headers, body: form(fields) })
  return {
    ask,
    post,
    token: (fields: Fields, headers?: Record<string, string>) => post("/v2/auth/oauth2/token", fields, headers),
    me: (accessToken: unknown) => ask("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } })
  }
}

/** A client of the whole server. */
export const serverClient = Effect.map(Testing.server, serverClientOf)

/** Asserts an error response (RFC 6749 §5.2). */
export const assertRefused = ({ json, status }: Answer, expected: number, error: string) =>
  assert.deepStrictEqual([status, json["error"]], [expected, error])

export const form = (fields: Fields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => value === undefined ? [] : [[name, value]]))

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`
})

/** An approved app with its credentials, and a user whose authorization codes it exchanges for tokens. */
export const approvedApp = Effect.fnUntraced(function*(input: Partial<RegistrationInput> = {}) {
  const http = yield* serverClient
  const review = yield* ClientReview
  const codes = yield* CodeStore
  const owner = yield* newAccount("owner")
  const admin = yield* newAccount("admin", "admin")
  const user = yield* newAccount("user")
  const registered = yield* newClient(owner, { redirectUris: [redirectUri], ...input })
  const client = yield* review.approve(admin, registered.client.id, registered.client.version)
  const secret = Option.getOrUndefined(Option.map(registered.secret, Redacted.value))
  const credentials = { client_id: client.id, client_secret: secret }

  const code = (
    options: {
      readonly scopes?: GrantedScopes
      readonly pkce?: boolean
      readonly challenge?: string
      readonly user?: UserId
      /** End that the user chose. */
      readonly grantExpiresAt?: DateTime.Utc
    } = {}
  ) =>
    Effect.map(
      codes.issue({
        grantExpiresAt: options.grantExpiresAt ?? null,
        clientId: client.id,
        userId: options.user ?? user,
        scopes: options.scopes === undefined ? client.scopes : options.scopes,
        redirectUri,
        codeChallenge: options.pkce === false ? null : options.challenge ?? challenge
      }),
      Redacted.value
    )
  const exchangeOf = (code: string) => ({
    grant_type: "authorization_code",
    ...credentials,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier
  })
  const refreshOf = (refreshToken: unknown) => ({
    grant_type: "refresh_token",
    ...credentials,
    refresh_token: String(refreshToken)
  })
  return {
    ...http,
    owner,
    admin,
    user,
    client,
    credentials,
    secret: secret ?? "",
    code,
    exchangeOf,
    refreshOf,
    exchange: (code: string, changes: Fields = {}) => http.token({ ...exchangeOf(code), ...changes }),
    refresh: (refreshToken: unknown, changes: Fields = {}) => http.token({ ...refreshOf(refreshToken), ...changes }),
    /** Tokens of a new grant. */
    tokens: (options: { readonly scopes?: GrantedScopes } = {}) =>
      Effect.map(Effect.flatMap(code(options), (code) => http.token(exchangeOf(code))), ({ json }) => json)
  }
})
