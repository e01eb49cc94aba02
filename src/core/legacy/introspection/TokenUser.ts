import { Context, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isPrintable } from "../../../domain/Text.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { LinkedAccounts } from "../../accounts/linked/LinkedAccounts.ts"
import * as ProfileClaims from "../../accounts/linked/ProfileClaims.ts"
import { type TrustedIssuers, trustedIssuers } from "../../accounts/linked/TrustedIssuers.ts"
import { Accounts } from "../../accounts/local/Accounts.ts"
import { LocalUsers } from "../../accounts/LocalUsers.ts"
import { isSubject } from "../../accounts/people/ExternalIdentity.ts"
import { IdentitySource } from "../../accounts/people/IdentitySource.ts"
import type { ActiveToken } from "./PreviousServer.ts"
import { misfit, refusal } from "./Verdict.ts"

/**
 * Finds the user of a token, as the previous server names them: by `sub` the account that is linked to it at the issuer
 * of `LEGACY_INTROSPECTION_ISSUER`, else at `iss` if `SIGN_IN` trusts that; then by an `email` that it vouches for a
 * local account. A name counts for nothing: people choose and change theirs here and there, and so could get at
 * somebody else's account. Where the users are a platform's own (`IdentitySource`), `sub` is their id.
 */
export const makeTokenUser = Effect.gen(function*() {
  const config = yield* AppConfig
  const users = yield* IdentitySource
  const local = yield* LocalUsers
  const readIssuers = Effect.provideContext(trustedIssuers, yield* Effect.context<AppConfig | SqlClient.SqlClient>())

  const issuerOf = ({ iss }: ActiveToken, issuers: TrustedIssuers) =>
    Option.orElse(config.legacyIntrospectionIssuer, () => Option.flatMap(Option.fromNullishOr(iss), issuers.find))

  /** Look-ups that an answer allows, in their order. */
  const lookUps = (token: ActiveToken, issuers: TrustedIssuers) => {
    const subject = Option.filter(Option.fromNullishOr(token.sub), isSubject)
    if (Option.isNone(local)) return Option.toArray(Option.map(subject, (id) => Effect.succeedSome(id)))
    const accounts = Context.get(local.value, Accounts)
    const linked = Context.get(local.value, LinkedAccounts)
    const ofSubject = Option.map(
      Option.all({ issuer: issuerOf(token, issuers), subject }),
      (name) => Effect.map(linked.find(name), Option.map(({ account }) => account.id))
    )
    const isVouchedFor = ProfileClaims.isVouchedFor({ ...token }, "email", config.emailVerification)
    const ofAddress = Option.map(
      Option.filter(Option.fromNullishOr(token.email), (email) => email !== "" && isPrintable(email) && isVouchedFor),
      (email) => Effect.map(accounts.findByEmail(email), Option.map(({ id }) => id))
    )
    return [...Option.toArray(ofSubject), ...Option.toArray(ofAddress)]
  }

  return Effect.fnUntraced(function*(token: ActiveToken) {
    const allowed = lookUps(token, yield* readIssuers)
    if (allowed.length === 0) {
      return yield* Effect.fail(misfit("its answer names no user by a trusted iss and sub, nor by a verified email"))
    }
    for (const lookUp of allowed) {
      const id = yield* lookUp
      if (Option.isNone(id)) continue
      // None who is disabled here, or has left.
      const user = yield* users.find(id.value)
      if (Option.isSome(user)) return user.value.id
      break
    }
    return yield* Effect.fail(refusal("unknown_user", "the user of the token has no account here"))
  })
})
