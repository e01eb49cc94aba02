import { DateTime, Effect, Option, Schema } from "effect"
import { jwtVerify } from "jose"
import { LinkedAccounts } from "../../../core/accounts/linked/LinkedAccounts.ts"
import { readIdentity } from "../../../core/accounts/linked/ProfileClaims.ts"
import type { Account } from "../../../core/accounts/people/Account.ts"
import { isSubject } from "../../../core/accounts/people/ExternalIdentity.ts"
import { isRefusal } from "../../../core/keys/RemoteKeys.ts"
import { messageOf } from "../../../domain/Cause.ts"
import { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import { AppConfig, type Settings } from "../../../foundation/config/AppConfig.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import { proxyKeys } from "./ProxyKeys.ts"

/** Assertion that is refused, or cannot be looked at. */
class Unverified extends Schema.TaggedError<Unverified>()("Unverified", { cause: Schema.Defect() }) {}

type Headers = Readonly<Record<string, string | undefined>>

/**
 * User whom the proxy in front asserts, by a JWT in a header of each request. A caller without such a header, or with a
 * bad one, is nobody. Without the proxy's keys nobody can tell, and the page says so (503).
 */
export const assertedUser = Effect.gen(function*() {
  const linked = yield* LinkedAccounts
  const config = yield* AppConfig
  const { audience, header, issuer, jwksUrl } = yield* Effect.orDie(Effect.fromOption(settingsOf(config)))
  const keys = proxyKeys(jwksUrl)

  const report = yield* OncePerMinute.make((problem, count) => Effect.logWarning(problem, { issuer, count }))

  const verify = Effect.fnUntraced(function*(assertion: string) {
    const currentDate = DateTime.toDateUtc(yield* DateTime.now)
    const options = { issuer, audience, algorithms, currentDate, clockTolerance: 30, requiredClaims: ["sub", "exp"] }
    return yield* Effect.tryPromise({
      try: () => jwtVerify(assertion, keys, options),
      catch: (cause) => new Unverified({ cause })
    }).pipe(
      Effect.map(({ payload }) => Option.some(payload)),
      Effect.catch(({ cause }) =>
        isRefusal(cause)
          ? Effect.as(report(`Refused an assertion of the proxy: ${cause.code}`), Option.none())
          : Effect.andThen(
            report(`The keys of the proxy could not be read: ${messageOf(cause)}`),
            Effect.die(new TemporarilyUnavailable({ error_description: "the keys of the proxy cannot be read" }))
          )
      )
    )
  })

  return Effect.fn("ProxyIdentitySource.browserUser")(function*(headers: Headers) {
    const assertion = /^(?:Bearer +)?(\S+)$/i.exec(headers[header] ?? "")?.[1]
    const claims = assertion === undefined ? Option.none() : yield* verify(assertion)
    if (Option.isNone(claims) || !isSubject(claims.value.sub)) return Option.none<Account>()
    const { identity, misfits } = readIdentity({ issuer, subject: claims.value.sub, claims: claims.value }, config)
    if (misfits.length > 0) yield* report(`Claims of the proxy do not fit the profile: ${misfits.join(", ")}`)
    return yield* linked.signIn(identity).pipe(
      Effect.tapError(() => report("Refused a user of the proxy whose account is closed")),
      Effect.option
    )
  })
})

/** Signatures by a key that only the proxy has: with a shared one, who verifies could sign. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]

// `SIGN_IN` requires all of them.
const settingsOf = ({ proxyAudience, proxyHeader, proxyIssuer, proxyJwksUrl }: Settings) =>
  Option.all({ audience: proxyAudience, header: proxyHeader, issuer: proxyIssuer, jwksUrl: proxyJwksUrl })
