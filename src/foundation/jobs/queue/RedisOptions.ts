import { Option, Redacted } from "effect"
import type { AppConfig } from "../../config/AppConfig.ts"

export type Place = Pick<AppConfig["Service"], "queueTimeout" | "redisSentinelPassword" | "redisSentinels">

/**
 * Options of a connection that is closed when it is silent for so many milliseconds, and made again. So is one to a
 * server that is not the master any more: where a name leads is asked when a connection is opened, and open ones stay.
 */
export const redisOptions = (url: Redacted.Redacted, place: Place, silence: number) => ({
  ...sentinelOptions(Redacted.value(url), place, silence),
  connectTimeout: silence,
  socketTimeout: silence,
  disconnectTimeout: 500,
  keepAlive: 10_000,
  // A name may lead to the old master for a minute, and all connections of a worker ask again meanwhile.
  retryStrategy: (n: number) => Math.min(n * 500, 2_000),
  reconnectOnError: (error: Error) => isNoMaster(error) ? reconnectAndResend : false,
  // It is done with INFO, which a user without `@dangerous` may not; a Redis that loads its data is left as above.
  enableReadyCheck: false
})

// Rest of the URL, with the password and the number of the database, which are the master's.
const sentinelOptions = (url: string, { redisSentinelPassword, redisSentinels }: Place, silence: number) => {
  if (Option.isNone(redisSentinels)) return {}
  const { hostname, protocol } = new URL(url)
  return {
    sentinels: redisSentinels.value.map(({ host, port }) => ({ host, port })),
    name: decodeURIComponent(hostname),
    sentinelCommandTimeout: silence,
    ...(protocol === "rediss:" ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    ...(Option.isSome(redisSentinelPassword) ? { sentinelPassword: Redacted.value(redisSentinelPassword.value) } : {})
  }
}

/** Tells the answers of a server that has become a replica, or is about to: before version 7 scripts quote them. */
const isNoMaster = ({ message }: Error): boolean => /\b(?:READONLY|MASTERDOWN|LOADING) /.test(message)

const reconnectAndResend = 2
