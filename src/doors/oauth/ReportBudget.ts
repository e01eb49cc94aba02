import { Clock, Effect } from "effect"

/**
 * Counts the reports of each resource server within a minute, in this process: a program that sends without a pause
 * must not fill the table of what waits to be added up. One that uses the library sends six a minute, so fifty may have
 * the same credential; a report that is refused is sent again ten seconds later, with its id.
 */
export const make = Effect.map(Clock.Clock, (clock) => {
  const reports = new Map<string, number>()
  let began = 0n

  return {
    /** Counts a report of this resource server; answers false if it has sent too many. */
    spend: (resourceServer: string): boolean => {
      const now = clock.monotonicTimeNanosUnsafe()
      if (now - began >= minute) {
        reports.clear()
        began = now
      }
      const count = (reports.get(resourceServer) ?? 0) + 1
      reports.set(resourceServer, count)
      return count <= mostReports
    }
  }
})

/** Reports that a process takes of one resource server in a minute. */
export const mostReports = 300

const minute = 60_000_000_000n
