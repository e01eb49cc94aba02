import { Predicate } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { is, visitNodes } from "./Nodes.ts"

/** A place in the code that asks for a message. */
export interface Call {
  readonly file: string
  /** Tests if it may ask for the message of a key: a part of the key may be computed. */
  readonly asksFor: (key: string) => boolean
  /** Names of the values that it gives; `undefined` where they are not written there. */
  readonly values: ReadonlyArray<string> | undefined
}

const root = join(import.meta.dirname, "../../..")

/** Files of the program with their code. */
export const sources: ReadonlyArray<readonly [file: string, code: string]> = ["src", "workers"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), "utf8")] as const)
)

/** Calls of `text` and `keptMessage` in the code of a file. */
export const callsIn = (file: string, code: string): ReadonlyArray<Call> => {
  const found: Array<Call> = []
  if (!/\b(?:text|keptMessage)\(/.test(code)) return found
  visitNodes(parseAst(code, { lang: "ts" }), (node) => {
    if (!is(node, "CallExpression") || !isAsking(node["callee"]) || !Array.isArray(node["arguments"])) return
    const [key, values] = node["arguments"]
    found.push(...testsOf(key).map((asksFor) => ({ file, asksFor, values: namesIn(values) })))
  })
  return found
}

const isAsking = (callee: unknown) =>
  is(callee, "Identifier") && (callee["name"] === "text" || callee["name"] === "keptMessage")

/** A key may be one of two, or have parts that are computed. */
const testsOf = (key: unknown): ReadonlyArray<Call["asksFor"]> => {
  if (is(key, "ConditionalExpression")) return [...testsOf(key["consequent"]), ...testsOf(key["alternate"])]
  if (is(key, "Literal")) return [(asked) => asked === key["value"]]
  if (!is(key, "TemplateLiteral") || !Array.isArray(key["quasis"])) return []
  const parts = key["quasis"].map(({ value }) => String(value.cooked).replaceAll(".", "\\."))
  const pattern = new RegExp(`^${parts.join("[\\w-]+")}$`)
  return [(asked) => pattern.test(asked)]
}

const namesIn = (values: unknown): ReadonlyArray<string> | undefined => {
  if (values === undefined) return []
  if (!is(values, "ObjectExpression") || !Array.isArray(values["properties"])) return undefined
  const names = values["properties"].map(({ key }) => key?.name)
  return names.every(Predicate.isString) ? names : undefined
}
