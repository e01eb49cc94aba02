import { Option, Schema } from "effect"
import { membersOf, type OpenApiDocument } from "./OpenApiDocument.ts"
import type { Problem } from "./Problem.ts"
import { follow } from "./References.ts"

/** Security schemes of a document. */
export interface SecuritySchemes {
  /** What a scheme takes that is no access token, by the name of the scheme: "apiKey", "http basic". */
  readonly foreign: ReadonlyMap<string, string>
  /** Names of those that take an access token. */
  readonly tokens: ReadonlySet<string>
  /** Scopes that the flows declare, each with its description. */
  readonly scopes: ReadonlyMap<string, string>
  readonly problems: ReadonlyArray<Problem>
}

/** Reads `components.securitySchemes`. */
export const schemesOf = ({ root }: OpenApiDocument): SecuritySchemes => {
  const foreign = new Map<string, string>()
  const tokens = new Set<string>()
  const scopes = new Map<string, string>()
  const problems: Array<Problem> = []
  const at = ["components", "securitySchemes"]
  const declared = follow(root, membersOf(root["components"])["securitySchemes"] ?? {})
  if (typeof declared === "string") {
    problems.push({ keys: at, place: at.join("."), problem: `cannot be read: ${declared}` })
  }
  for (const [name, value] of Object.entries(membersOf(declared))) {
    const keys = [...at, name]
    const followed = follow(root, value)
    const scheme = typeof followed === "string" ? Option.none() : decodeScheme(followed)
    if (Option.isNone(scheme)) {
      const problem = typeof followed === "string" ? followed : "it is no security scheme of OpenAPI 3"
      problems.push({ keys, place: `the security scheme ${name}`, problem })
      continue
    }
    const { flows = {}, scheme: httpScheme = "", type } = scheme.value
    const takes = type === "http" && /^[\w-]{1,20}$/.test(httpScheme) ? `http ${httpScheme.toLowerCase()}` : type
    // An access token of ours is a bearer token, whichever way the document has to say so.
    if (type === "oauth2" || type === "openIdConnect" || takes === "http bearer") tokens.add(name)
    else foreign.set(name, takes)
    for (const flow of Object.values(flows)) {
      for (const [scope, description] of Object.entries(membersOf(membersOf(flow)["scopes"]))) {
        const known = scopes.get(scope)
        if (known === undefined || known === "") scopes.set(scope, typeof description === "string" ? description : "")
      }
    }
  }
  return { foreign, tokens, scopes, problems }
}

const decodeScheme = Schema.decodeUnknownOption(Schema.Struct({
  type: Schema.Literals(["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]),
  scheme: Schema.optionalKey(Schema.String),
  flows: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}))
