import { Effect } from "effect"
import type { Device } from "../../foundation/jobs/Device.ts"
import { CallerAddress } from "./CallerAddress.ts"
import { CallerBrowser } from "./CallerBrowser.ts"

/**
 * The caller's device, as a member of a job's payload. Only of what the recipient of its mail may have done: nobody
 * learns where an operator or another user is.
 */
export const callerDevice: Effect.Effect<{ readonly device?: Device }> = Effect.gen(function*() {
  const caller = yield* CallerAddress
  // All callers whose address nobody can tell have one name for limits, which says nothing to people.
  const address = caller !== undefined && /[.:]/.test(caller) ? caller : null
  const browser = (yield* CallerBrowser)?.slice(0, longestBrowser) ?? null
  return address === null && browser === null ? {} : { device: { address, browser } }
})

/** Browsers send shorter headers; others may send what they like. */
export const longestBrowser = 300
