import { Result } from "effect"

/**
 * Parameters of an OAuth request by the rules of RFC 6749 §3.1 and §3.2: none is repeated, and one without a value
 * counts as omitted. Values are decoded strictly.
 */
export type Parameters = ReadonlyMap<string, string>

/** Why parameters could not be read; safe to show. */
export type Malformed = string

/** One parameter as it was sent. */
interface Pair {
  readonly name: string
  readonly value: string
  /** Value before it was decoded. */
  readonly encoded: string
}

/** Pairs of a query string or a form body in order. Broken escapes, invalid UTF-8 and NUL fail and are not repaired. */
export const pairs = (text: string): Result.Result<ReadonlyArray<Pair>, Malformed> => {
  const problem = text.includes("%00") ? nul : unreadable(text)
  if (problem !== undefined) return Result.fail(problem)
  const found: Array<Pair> = []
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const at = pair.indexOf("=")
    const encoded = at < 0 ? "" : pair.slice(at + 1)
    const name = formDecode(at < 0 ? pair : pair.slice(0, at))
    const value = formDecode(encoded)
    if (name === undefined || value === undefined) return Result.fail("a parameter is not valid percent-encoded UTF-8")
    found.push({ name, value, encoded })
  }
  return Result.succeed(found)
}

/** Reads a query string or a form body as parameters. */
export const fromForm = (encoded: string): Result.Result<Parameters, Malformed> =>
  Result.flatMap(pairs(encoded), (found) => {
    const seen = new Map<string, string>()
    for (const { name, value } of found) {
      if (seen.has(name)) return name === "resource" ? severalResources : repeated
      seen.set(name, value)
    }
    for (const { name, value } of found) if (value === "") seen.delete(name)
    return Result.succeed(seen)
  })

/**
 * Reads the members of a JSON object as parameters, the JSON form of a token request (docs/design.md, token endpoint).
 * The `known` ones must be strings: an array would be a repeated parameter in disguise.
 */
export const fromJson = (body: string, known: ReadonlySet<string>): Result.Result<Parameters, Malformed> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return Result.fail("the body is not valid JSON")
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return Result.fail("the body must be a JSON object")
  }
  if (hasRepeatedName(body)) return repeated
  const seen = new Map<string, string>()
  for (const [name, value] of Object.entries(parsed)) {
    if (value === null) continue
    if (typeof value !== "string") {
      if (known.has(name)) return Result.fail("a parameter is not a string")
      continue
    }
    const problem = unreadable(name) ?? unreadable(value)
    if (problem !== undefined) return Result.fail(problem)
    if (value !== "") seen.set(name, value)
  }
  return Result.succeed(seen)
}

/** Says that RFC 8707 §2 allows what this server refuses. */
export const oneResource = "resource is repeated: this server takes one resource for a request"

// The name is the caller's text, so the answer does not repeat it.
const repeated = Result.fail("a parameter is repeated")
const severalResources = Result.fail(oneResource)

const unreadable = (text: string): Malformed | undefined =>
  text.includes("\0") ? nul : text.isWellFormed() ? undefined : "a parameter is not valid Unicode"

const nul = "a parameter contains a NUL character"

/** Decodes one name or value of a form (RFC 6749 Appendix B); `undefined` when it is malformed. */
export const formDecode = (text: string): string | undefined => {
  if (!text.includes("%") && !text.includes("+")) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

// JSON.parse silently keeps the last of two members with the same name, so the names of the top level are read again.
const hasRepeatedName = (body: string): boolean => {
  const names = new Set<string>()
  let depth = 0
  let expectName = false
  for (let i = 0; i < body.length; i++) {
    const char = body[i]
    if (char === "\"") {
      const start = i
      for (i++; body[i] !== "\""; i++) if (body[i] === "\\") i++
      if (depth === 1 && expectName) {
        const name: unknown = JSON.parse(body.slice(start, i + 1))
        if (names.has(String(name))) return true
        names.add(String(name))
        expectName = false
      }
    } else if (char === "{" || char === "[") {
      depth++
      expectName = char === "{" && depth === 1
    } else if (char === "}" || char === "]") {
      depth--
    } else if (char === "," && depth === 1) {
      expectName = true
    }
  }
  return false
}
