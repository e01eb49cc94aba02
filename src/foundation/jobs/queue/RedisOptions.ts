import { Option, Redacted } from "effect"
import type { AppConfig } from "../../config/AppConfig.ts"

/** The settings by which Redis is found. */
export type Place = Pick<AppConfig["Service"], "queueTimeout" | "redisSentinelPassword" | "redisSentinels">

/** The options of a connection that is closed when it is silent for so many milliseconds, and made again. */
export const redisOptions = (url: Redacted.Redacted, place: Place, silence: number) => ({
  ...sentinelOptions(Redacted.value(url), place, silence),
  connectTimeout: silence,
  socketTimeout: silence,
  disconnectTimeout: 500,
  keepAlive: 10_000,
  retryStrategy: (n: number) => Math.min(n * 100, 2_000)
})

// The rest of the URL, with the password and the number of the database, is that of the master.
const sentinelOptions = (url: string, { redisSentinelPassword, redisSentinels }: Place, silence: number) => {
  if (Option.isNone(redisSentinels)) return {}
  const { hostname, protocol } = new URL(url)
  return {
    sentinels: redisSentinels.value.map(({ host, port }) => ({ host, port })),
    name: decodeURIComponent(hostname),
    sentinelCommandTimeout: silence,
    // A server that has become a replica is left for the new master.
    reconnectOnError: ({ message }: Error) => message.startsWith("READONLY") ? reconnectAndResend : false,
    ...(protocol === "rediss:" ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    ...(Option.isSome(redisSentinelPassword) ? { sentinelPassword: Redacted.value(redisSentinelPassword.value) } : {})
  }
}

const reconnectAndResend = 2
