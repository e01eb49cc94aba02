import { Effect } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"

/** Compares TRUSTED_PROXIES with the addresses: a server speaks plain http, so somebody in front of it ends TLS. */
export const proxiesCheck = (
  { authUrl, baseUrl, trustedProxies }: Pick<Settings, "authUrl" | "baseUrl" | "trustedProxies">
): Check<"proxies"> => {
  const proxied = [baseUrl, authUrl].find((url) => url.startsWith("https:"))
  return {
    name: "proxies",
    otherwise: "degraded",
    probe: Effect.succeed(
      proxied === undefined || trustedProxies > 0
        ? ok(`TRUSTED_PROXIES is ${trustedProxies}.`)
        : degraded(
          `A proxy ends the TLS of ${proxied}, and TRUSTED_PROXIES is 0: all callers share its address, and wrong ` +
            "passwords of one lock out all."
        )
    )
  }
}
