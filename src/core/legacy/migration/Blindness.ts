import { Schema } from "effect"

/**
 * Why not all calls of an app are known: nothing is counted, some servers verify tokens offline, some ask about tokens
 * by introspection, calls were not seen for as long as an app is observed, or too many counts wait to be added up.
 */
export const Blindness = Schema.Literals(["off", "offline", "introspection", "recent", "late"])
export type Blindness = typeof Blindness.Type
