import { Schema } from "effect"
import { ScopeName } from "../../domain/scopes/Scope.ts"

/** Scopes that an app asks for, its change if one waits, by what was seen of them. */
export const AskedUse = Schema.Struct({
  asked: Schema.Int,
  /** Scopes that it holds and uses, the most used first, with calls within the weeks that are kept that each allows. */
  used: Schema.Array(Schema.Struct({ scope: ScopeName, calls: Schema.Int })),
  /** Scopes that it holds and nobody used, the riskiest first. */
  unused: Schema.Array(ScopeName),
  /** From when on nobody used those; `null` where nothing is called unused. */
  since: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Scopes that it holds of which no use was seen, but calls may have been missed. */
  unknown: Schema.Array(ScopeName),
  /** Scopes that it does not hold yet, the riskiest first. */
  added: Schema.Array(ScopeName)
}).annotate({ identifier: "AskedUse" })
export type AskedUse = typeof AskedUse.Type

/** Same as numbers, where it is known of all that the app holds. */
export const AskedNumbers = Schema.Struct({ asked: Schema.Int, used: Schema.Int }).annotate({
  identifier: "AskedNumbers"
})
export type AskedNumbers = typeof AskedNumbers.Type
