import { Result } from "effect"
import { type CatalogueDraft, draft } from "../../../../src/core/catalogue/openapi/CatalogueDraft.ts"
import { withAdditions } from "../../../../src/core/catalogue/openapi/CatalogueEdits.ts"
import type { Drift } from "../../../../src/core/catalogue/openapi/Drift.ts"
import { read } from "../../../../src/domain/catalogue/file/ReadCatalogue.ts"

export const readText = (text: string) => read(new TextEncoder().encode(text), "catalogue.json")

/** A catalogue that is there, and what becomes of its text. */
export const existing = (text: string) => ({
  catalogue: Result.getOrThrow(readText(text)).file,
  withAdditions: (added: Drift["added"]) => withAdditions(text, added)
})

/** Document with these members beside what each document has. */
export const documentOf = <A extends object>(members: A) => ({
  openapi: "3.1.0",
  info: { title: "The Orbit CRM API", version: "1" },
  components: { securitySchemes },
  ...members
})

export const securitySchemes = {
  orbit: {
    type: "oauth2",
    flows: { authorizationCode: { scopes: { "contacts.read": "See your contacts", "contacts.write": "" } } }
  },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://orbit.example/.well-known/openid-configuration" },
  bearer: { type: "http", scheme: "Bearer" },
  basic: { type: "http", scheme: "basic" },
  key: { type: "apiKey", in: "header", name: "X-Key" },
  aliased: { $ref: "#/components/securitySchemes/orbit" }
}

interface Options {
  readonly levels?: CatalogueDraft["levels"]
  readonly prefix?: string
}

export const drafted = (document: object | string, { levels = [{ id: "user" }], prefix }: Options = {}) =>
  draft(typeof document === "string" ? document : JSON.stringify(document), { levels, prefix })

export const draftOf = (document: object | string, options?: Options): CatalogueDraft =>
  Result.getOrThrow(drafted(document, options))

/** Why a document is refused, with the lines that the refusal names. */
export const refusalOf = (document: object | string): string => {
  const result = drafted(document)
  if (Result.isSuccess(result)) return "it is not refused"
  const { details = [], message } = result.failure
  return [message, ...details.map(({ message, path }) => `${path}: ${message}`)].join("\n")
}

/** Drafted operation of a document with these security requirements, and these members beside it. */
export const operationWith = (security: unknown, members: object = {}) => {
  const operation = security === undefined ? {} : { security }
  const [found] = draftOf(documentOf({ paths: { "/things": { get: operation } }, ...members })).operations
  if (found === undefined) throw new Error("the operation is not in the draft")
  const { method: _, path: __, ...access } = found.entry
  return { access, todo: found.todo.join("; ") }
}

/** Problems of a document with these members. */
export const problemsOf = (members: object): string =>
  draftOf(documentOf({ paths: { "/things": { get: { security: [] } } }, ...members })).problems
    .map(({ place, problem }) => `${place}: ${problem}`).join("\n")
