import { Effect, Stream } from "effect"
import * as oidc from "openid-client"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"

const redirectUri = "https://old.example/callback"
const secret = "old+secret/of%20before=="

/** A legacy app that uses openid-client, imported with the refresh token of a user who has it installed. */
export const installedApp = Effect.gen(function*() {
  const { url } = yield* Live.LiveServer
  const owner = yield* Live.newAccount()
  const user = yield* Live.newAccount()
  const id = `old.app:${crypto.randomUUID()}`
  const refreshToken = `rt/${crypto.randomUUID()}+==`
  const record = {
    client_id: id,
    owner: owner.email,
    name: "Old Timer",
    redirect_uris: [redirectUri],
    secrets: [{ secret, algorithm: "clear" }],
    refresh_tokens: [{ token: refreshToken, algorithm: "clear", user: user.email }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
  const config = yield* Effect.promise(() =>
    oidc.discovery(new URL(url), id, secret, oidc.ClientSecretBasic(), {
      algorithm: "oauth2",
      execute: [oidc.allowInsecureRequests]
    })
  )
  /** Allows the app's request as the user, and answers the URL at the app that the user is sent to. */
  const authorize = (account: Account, scope?: string) =>
    decide(
      account,
      oidc.buildAuthorizationUrl(config, { redirect_uri: redirectUri, ...(scope === undefined ? {} : { scope }) }),
      "allow"
    )
  const exchange = (callback: URL) => Effect.promise(() => oidc.authorizationCodeGrant(config, callback))
  const refresh = (token: string | undefined) => Effect.promise(() => oidc.refreshTokenGrant(config, token ?? ""))

  return {
    id,
    owner,
    user,
    refreshToken,
    authorize,
    exchange,
    refresh,
    connect: (account: Account, scope?: string) => Effect.flatMap(authorize(account, scope), exchange),
    /** Error that openid-client reports for a refused authorization request. */
    refusedUrl: (account: Account, scope?: string) =>
      Effect.flatMap(
        authorize(account, scope),
        (callback) => refused(oidc.AuthorizationResponseError, () => oidc.authorizationCodeGrant(config, callback))
      ),
    /** Error that openid-client reports for a refused refresh token. */
    refusedToken: (token: string | undefined) =>
      refused(oidc.ResponseBodyError, () => oidc.refreshTokenGrant(config, token ?? "")),
    /** Status of an API call. */
    call: (accessToken: string) =>
      Effect.promise(async () => {
        const { status } = await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${accessToken}` } })
        return status
      })
  }
})

const refused = (
  expected: typeof oidc.AuthorizationResponseError | typeof oidc.ResponseBodyError,
  attempt: () => Promise<unknown>
) =>
  Effect.promise(() =>
    attempt().then(
      () => "not refused",
      (error: unknown) =>
        error instanceof expected ? `${error.error}: ${error.error_description}` : `not refused: ${String(error)}`
    )
  )
