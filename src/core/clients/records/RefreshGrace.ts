import { Schema } from "effect"
import type { ClientKind } from "./ClientKind.ts"

/**
 * End of a client's grace, in which a replaced refresh token gets the same successor. `until-used`: when the successor
 * is first used, and after `REFRESH_GRACE_MAX` at the latest. `short`: after `REFRESH_GRACE`, as for every public
 * client; for apps whose access tokens are verified offline, where this server does not see the use.
 */
export const RefreshGrace = Schema.Literals(["until-used", "short"])
export type RefreshGrace = typeof RefreshGrace.Type

/** Grace of a client whose owner has not chosen. */
export const defaultRefreshGrace = (kind: ClientKind): RefreshGrace => kind === "confidential" ? "until-used" : "short"
