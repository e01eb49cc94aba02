import { DateTime, Duration } from "effect"
import type { Client } from "../clients/records/Client.ts"
import type { Given } from "./Given.ts"

/** Longest time for which a test app keeps what it is given, refreshes included. */
export const testGrantLifetime = Duration.days(7)

/** Longest time for which an app keeps what it is given. */
export const lifetimeOf = ({ isTestApp }: Client, grantLifetime: Duration.Duration): Duration.Duration =>
  isTestApp ? Duration.min(grantLifetime, testGrantLifetime) : grantLifetime

/** What an app gets, which of a test app ends in time. */
export const endingInTime = ({ isTestApp }: Client, given: Given, now: DateTime.Utc): Given => {
  if (!isTestApp) return given
  const latest = DateTime.addDuration(now, testGrantLifetime)
  return { ...given, expiresAt: given.expiresAt === null ? latest : DateTime.min(given.expiresAt, latest) }
}
