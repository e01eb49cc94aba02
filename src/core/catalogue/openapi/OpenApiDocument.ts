import { Predicate, Result } from "effect"
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from "yaml"
import { BadRequest } from "../../../domain/ApiError.ts"

/** Members of a JSON object, none of them checked. */
export type Members = { readonly [name: string]: unknown }

/** An OpenAPI document as its text has it. Its frame alone is checked: each part is judged where it is needed. */
export interface OpenApiDocument {
  readonly root: Members
  /** Line of the member to which these keys lead, or of the nearest one above it that stands in the text. */
  readonly lineOf: (keys: ReadonlyArray<string>) => number
}

/** Reads YAML, which JSON is a part of. The text may be anything: a file of another kind is refused by what it is. */
export const read = (text: string): Result.Result<OpenApiDocument, BadRequest> => {
  if (text.trim() === "") return refuse("The file is empty.")
  return Result.flatMap(parse(text), ({ root, ...document }) => {
    if (!Predicate.isReadonlyObject(root)) return refuse("The file holds no OpenAPI document: it is no object.")
    const fault = faultOf(root)
    return fault === undefined ? Result.succeed({ root, ...document }) : refuse(fault)
  })
}

/** Members of a value, none for one that is no object. */
export const membersOf = (value: unknown): Members => Predicate.isReadonlyObject(value) ? value : {}

const parse = (text: string) => {
  const counter = new LineCounter()
  // Texts are nested or refer to each other as they please: the parser answers some of that by an exception.
  const parsed = Result.try({
    try: () => {
      const document = parseDocument(text, {
        lineCounter: counter,
        logLevel: "error",
        merge: true,
        prettyErrors: false,
        stringKeys: true
      })
      const root: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount })
      return { document, root }
    },
    catch: (error) => unreadable(`The file cannot be read as YAML or JSON: ${String(error)}`)
  })
  return Result.flatMap(parsed, ({ document, root }) => {
    const { errors } = document
    if (errors.length === 0) return Result.succeed({ root, lineOf: lines(document, counter) })
    // The parser calls itself for each level, and says it once for each bracket that was too much.
    if (errors.some(({ code }) => code === "RESOURCE_EXHAUSTION")) return refuse("The file is nested too deeply.")
    return Result.fail(unreadable(
      "The file cannot be read as YAML or JSON:",
      errors.slice(0, shownErrors).map(({ message, pos: [start] }) => ({
        path: `line ${counter.linePos(start).line}`,
        message
      }))
    ))
  })
}

/** Uses of one anchor, times what it multiplies: honest documents share their answers, and bombs multiply. */
const maxAliasCount = 10_000

const shownErrors = 20

const faultOf = (root: Members): string | undefined => {
  const { asyncapi, openapi, swagger } = root
  if (swagger !== undefined) {
    return `The file is a document of Swagger ${String(swagger)}. ` +
      "Convert it to OpenAPI 3, as `npx swagger2openapi FILE` does, and import what comes out."
  }
  if (asyncapi !== undefined) return "The file is an AsyncAPI document, which has no operations of an HTTP API."
  if (openapi === undefined) {
    return `The file holds no OpenAPI document: it has no member "openapi", but ${
      Object.keys(root).slice(0, 5).map((name) => JSON.stringify(name)).join(", ") || "none"
    }.`
  }
  return /^3(?:\.|$)/.test(String(openapi))
    ? undefined
    : `The file is a document of OpenAPI ${String(openapi)}, and 3.0 to 3.2 are known here.`
}

const lines = (document: Document.Parsed, counter: LineCounter) => {
  const indexes = new Map<YAMLMap, Map<unknown, Pair>>()
  const indexOf = (map: YAMLMap) => {
    const found = indexes.get(map) ??
      new Map(map.items.flatMap((pair) => isScalar(pair.key) ? [[pair.key.value, pair]] : []))
    indexes.set(map, found)
    return found
  }
  return (keys: ReadonlyArray<string>): number => {
    let at: unknown = document.contents
    let offset = 0
    for (const key of keys) {
      const pair = isMap(at) ? indexOf(at).get(key) : undefined
      if (pair === undefined || !isScalar(pair.key)) break
      offset = pair.key.range?.[0] ?? offset
      at = pair.value
    }
    return counter.linePos(offset).line
  }
}

const unreadable = (message: string, details?: BadRequest["details"]) =>
  new BadRequest({ code: "openapi_unreadable", message, ...(details === undefined ? {} : { details }) })

const refuse = (message: string) => Result.fail(unreadable(message))
