import { Duration, Effect, Option } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, probeLimit } from "../../../foundation/operator/Readiness.ts"
import { reasonOf } from "./HttpCheck.ts"

/**
 * Asks the services behind the ways of SIGN_IN that lead elsewhere, each by itself; `local` and `handover` have none.
 */
export const signInChecks = (config: Settings): ReadonlyArray<Check<"sign-in">> => [
  ...config.signIn.has("oidc")
    ? [signInCheck("The OpenID Connect provider cannot be used", oidc(config), oidcCure)]
    : [],
  ...config.signIn.has("proxy") ? [signInCheck("The keys of the proxy cannot be read", proxy(config), proxyCure)] : []
]

const oidcCure =
  "Check OIDC_ISSUER, which is what the provider's metadata names `issuer`, and that it can be reached from here."
const proxyCure =
  "Check PROXY_JWKS_URL, which is where the proxy shows its public keys, and that it can be reached from here."

// Users who are signed in go on, so it is no more than `degraded`.
const signInCheck = (
  trouble: string,
  probe: Effect.Effect<string, string>,
  remedy: string
): Check<"sign-in"> => ({
  name: "sign-in",
  otherwise: "degraded",
  probe: probe.pipe(
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail("no answer in time") }),
    Effect.match({
      onFailure: (reason) => ({ status: "degraded", detail: `${trouble}: ${reason}`, remedy }),
      onSuccess: (detail) => ({ status: "ok", detail })
    })
  )
})

/** A moment before the check itself ends, which has the remedy of both. */
const limit = Duration.times(probeLimit, 0.9)

// The libraries are optional, and a server that signs in otherwise has none of them in memory.
const oidc = (config: Settings) =>
  Effect.promise(() => import("../../identity/oidc/Discovery.ts")).pipe(
    Effect.flatMap(({ discover }) => discover(config)),
    Effect.mapBoth({
      onFailure: ({ reason }) => reason,
      onSuccess: (provider) => `The OpenID Connect provider ${provider.serverMetadata().issuer} answers.`
    })
  )

const proxy = ({ proxyJwksUrl }: Settings) =>
  Effect.promise(() => import("../../identity/proxy/ProxyKeys.ts")).pipe(
    Effect.flatMap(({ proxyKeys }) =>
      Effect.tryPromise({
        try: async () => {
          const keys = proxyKeys(Option.getOrThrow(proxyJwksUrl))
          await keys.reload()
          return keys.jwks()?.keys.length ?? 0
        },
        catch: reasonOf
      })
    ),
    Effect.filterOrFail((count) => count > 0, () => "there is none"),
    Effect.map((count) => `The proxy shows ${count === 1 ? "its key" : `its ${count} keys`}.`)
  )
