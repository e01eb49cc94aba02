import { Schema } from "effect"

/** `scope-token` of RFC 6749 §3.3 without comma, `*` and quotes, which separate, stand for all, and surround names. */
export const ScopeToken = Schema.String.check(
  Schema.isPattern(/^[!#-&()+\--[\]-_a-~]{1,64}$/u, {
    message: "must be 1 to 64 characters of a scope (RFC 6749 §3.3), without a comma, an asterisk and quotes"
  })
)

export const SomeScopes = (description: string) =>
  Schema.Array(ScopeToken).check(Schema.isMinLength(1, { message: "must name a scope at least" })).annotate({
    description
  })
