import { Schema } from "effect"
import { Line } from "../Line.ts"
import { ScopeToken, SomeScopes } from "../scopes/ScopeToken.ts"
import * as OperationAccess from "./OperationAccess.ts"

export const OperationEntry = Schema.Struct({
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]).annotate({
    description: "HEAD needs what GET needs; OPTIONS is a preflight."
  }),
  path: Schema.String.annotate({
    description:
      "Path with parameters in braces: /api/contacts/{contactId}. Lower case, unless `case` says otherwise; parts " +
      "of it may be {id}, {id}.json, {id}:verb and a last {path+}."
  }),
  case: Schema.optionalKey(
    Schema.Literal("exact").annotate({
      description: "The path has upper case, and the API tells it apart from the same path in lower case."
    })
  ),
  access: Schema.Literals(["scope", "public", "scope-if-token", "closed"]).annotate({
    description:
      "Who may call: a token with the scope, anyone, anyone without a token and else one with the scope, or " +
      "no scope is enough."
  }),
  scope: Schema.optionalKey(
    ScopeToken.annotate({ description: "Needed scope; one of `scope`, `anyOf` and `allOf` where `access` is a scope." })
  ),
  anyOf: Schema.optionalKey(SomeScopes("One of these is enough; a refusal names the least risky one.")),
  allOf: Schema.optionalKey(SomeScopes("All of these are needed.")),
  neverForApps: Schema.optionalKey(
    Line(80).annotate({
      description: "Reason why no app may call it at all, not even a legacy one; only where `access` is \"closed\"."
    })
  )
}).annotate({ description: "An operation of the API. What is not listed is closed to every app." }).check(
  Schema.makeFilter((operation) => OperationAccess.fault(operation) ?? true, {
    toJsonSchema: () => [OperationAccess.jsonSchema, true]
  })
)
export type OperationEntry = typeof OperationEntry.Type
