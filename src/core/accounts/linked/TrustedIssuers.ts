import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type Settings } from "../../../foundation/config/AppConfig.ts"
import { waysInUse } from "../people/SessionWays.ts"

/** Issuers at which people sign in (`SIGN_IN`). */
export interface TrustedIssuers {
  /** Their names, as the settings have them. */
  readonly names: ReadonlyArray<string>
  /** Name that sign-ins have for an issuer which somebody writes so, if people sign in there. */
  readonly find: (issuer: string) => Option.Option<string>
}

/** Reads the settings, and learns from the sign-ins until now how the provider spells its own name. */
export const trustedIssuers: Effect.Effect<TrustedIssuers, never, AppConfig | SqlClient.SqlClient> = Effect.gen(
  function*() {
    const config = yield* AppConfig
    const sql = yield* SqlClient.SqlClient
    const ways = waysInUse(config)
    const provider = ways.get("oidc")?.issuer
    const exact = [...ways].flatMap(([way, { issuer }]) => way === "oidc" ? [] : [issuer]).concat(proxyIssuer(config))
    const known = provider === undefined ? [] : yield* sql<{ issuer: string }>`
    SELECT s.issuer FROM unnest(${spellings(provider)}::text[]) AS s (issuer)
    WHERE EXISTS (SELECT 1 FROM identities i WHERE i.issuer = s.issuer)`
    const spelled = known.length === 1 ? known[0]?.issuer : undefined

    const find = (issuer: string): Option.Option<string> => {
      if (exact.includes(issuer)) return Option.some(issuer)
      if (provider === undefined) return Option.none()
      if (hrefOf(provider) === hrefOf(issuer)) return Option.some(spelled ?? issuer)
      return isDirectoryOf(provider, issuer) ? Option.some(issuer) : Option.none()
    }
    return { names: [...ways.values()].map(({ issuer }) => issuer).concat(proxyIssuer(config)), find }
  }
).pipe(Effect.orDie)

const proxyIssuer = ({ proxyIssuer, signIn }: Pick<Settings, "proxyIssuer" | "signIn">): ReadonlyArray<string> =>
  signIn.has("proxy") ? Option.toArray(proxyIssuer) : []

/**
 * An issuer without a path may have a slash at its end: its metadata, and with them its tokens, need not do as the
 * settings.
 */
const hrefOf = (issuer: string): string => URL.parse(issuer)?.href ?? issuer

const spellings = (issuer: string): ReadonlyArray<string> => {
  const href = hrefOf(issuer)
  return [...new Set([issuer, href, href.replace(/\/$/, "")])]
}

/**
 * Entra ID names in its tokens the directory of the user by its id, where the settings name those of all, or one by its
 * domain.
 */
const isDirectoryOf = (provider: string, issuer: string): boolean =>
  provider.startsWith("https://login.microsoftonline.com/") && !directory.test(provider) && directory.test(issuer)

const directory = /^https:\/\/login\.microsoftonline\.com\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0\/?$/
