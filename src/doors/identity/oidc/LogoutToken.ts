import { Schema } from "effect"
import { errors, jwtVerify, type JWTVerifyGetKey } from "jose"
import type { Logout } from "../../../core/accounts/people/ProviderLogout.ts"

interface Expected {
  readonly issuer: string
  readonly audience: string
  /** Algorithms by which the provider signs ID tokens, as its metadata says. */
  readonly algorithms: ReadonlyArray<string> | undefined
  readonly keys: JWTVerifyGetKey
  readonly now: Date
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6); fails with an error of jose. */
export const readLogoutToken = async (
  token: string,
  { algorithms = ["RS256"], audience, issuer, keys, now }: Expected
): Promise<Logout> => {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    // A secret that both know, or none, proves nothing about who has sent it.
    algorithms: algorithms.filter((algorithm) => algorithm !== "none" && !algorithm.startsWith("HS")),
    requiredClaims: ["exp", "jti"],
    maxTokenAge: longestAge,
    clockTolerance: 30,
    currentDate: now
  })
  const refuse = (claim: string) => {
    throw new errors.JWTClaimValidationFailed(`"${claim}" is not that of a logout token`, payload, claim)
  }
  const { events, jti, nonce, sid, sub } = payload
  if (!isLogout(events)) refuse("events")
  // An ID token, which has one, must not be taken for a logout token.
  if (nonce !== undefined) refuse("nonce")
  if (sub === undefined && sid === undefined) refuse("sub")
  if (sid !== undefined && typeof sid !== "string") refuse("sid")
  return { issuer, id: jti ?? "", subject: sub, sid: typeof sid === "string" ? sid : undefined }
}

/** Longer than a provider's queue is likely to hold it, and shorter than `ProviderLogout` remembers it. */
const longestAge = "5 minutes"

const isLogout = Schema.is(
  Schema.Struct({ "http://schemas.openid.net/event/backchannel-logout": Schema.Record(Schema.String, Schema.Unknown) })
)
