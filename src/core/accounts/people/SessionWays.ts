import { Option } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"

/** Ways of `SIGN_IN` that lead elsewhere and come back with an identity. */
export type SessionWay = "oidc" | "handover"

/**
 * Ways in use, by the names under which rows of sessions keep them: with the issuer of the settings. It may differ from
 * the identity's, which some providers have one of for each of their directories.
 */
export const waysInUse = (
  config: Pick<Settings, "handoverIssuer" | "handoverUrl" | "oidcIssuer" | "signIn">
): ReadonlyMap<SessionWay, { readonly name: string; readonly issuer: string }> =>
  new Map(
    ([["oidc", config.oidcIssuer], ["handover", handoverIssuerOf(config)]] as const).flatMap(([way, issuer]) =>
      config.signIn.has(way) && Option.isSome(issuer)
        ? [[way, { name: `${way} ${issuer.value}`, issuer: issuer.value }]]
        : []
    )
  )

/** Name of the platform whose page signs people in. */
export const handoverIssuerOf = (
  { handoverIssuer, handoverUrl }: Pick<Settings, "handoverIssuer" | "handoverUrl">
): Option.Option<string> => Option.orElse(handoverIssuer, () => Option.map(handoverUrl, (url) => new URL(url).origin))
