import { Schema } from "effect"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Example } from "../../../src/doors/docs/Examples.ts"
import type { Exchange } from "../../support/TestServer.ts"
import type { Operation } from "./Fixture.ts"

/**
 * Writes what the scenarios sent and got into the examples of the documentation. What differs from run to run (ids,
 * times, credentials) is replaced by what stands for it, and long lists are cut.
 */
export const write = (recorded: ReadonlyMap<Operation, ReadonlyArray<Exchange>>) => {
  const examples = Array.from(
    recorded,
    ([operation, answers]) => `"${operation.name}": ${inLines(exampleOf(operation, answers))}`
  )
  writeFileSync(file, `{\n${examples.join(",\n")}\n}\n`)
}

/** A line for the request and for each answer, so that a change shows what it changes. */
const inLines = ({ answers, request }: ReturnType<typeof exampleOf>): string => {
  const lines = Object.entries(answers).map(([status, answer]) => `  "${status}": ${JSON.stringify(answer)}`)
  return `{\n "request": ${JSON.stringify(request)},\n "answers": {\n${lines.join(",\n")}\n }}`
}

const file = fileURLToPath(new URL("../../../src/doors/docs/Examples.data.json", import.meta.url))

const exampleOf = (operation: Operation, answers: ReadonlyArray<Exchange>) => {
  const inOrder = answers.toSorted((one, other) => one.status - other.status)
  const text = JSON.stringify({
    request: inOrder.slice(0, 1).map(({ sent }) => requestOf(sent))[0],
    answers: Object.fromEntries(inOrder.map((answer) => [answer.status, answerOf(operation, answer)]))
  })
  return decodeExample(shortened(JSON.parse(replaced(text))))
}

const decodeExample = Schema.decodeUnknownSync(Example)

const requestOf = ({ body, headers, path }: Exchange["sent"]) => ({
  path,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "content-type")),
  ...(body instanceof URLSearchParams ? { form: Object.fromEntries(body) } : {}),
  ...(typeof body === "string" ? { json: JSON.parse(body) } : {})
})

const answerOf = ({ operation }: Operation, { headers, json, status, text }: Exchange) => ({
  headers: Object.fromEntries(
    Object.keys(operation.responses[status]?.headers ?? {}).filter((name) => name !== "cache-control").map((name) => [
      name,
      headers.get(name)
    ])
  ),
  ...(text.startsWith("{") ? { json } : {})
})

/** A text without what differs from run to run. */
const replaced = (text: string): string => {
  const ids = new Map<string, string>()
  const numbered = (prefix: string, digits: number) => (id: string) => {
    const stand = ids.get(id) ?? prefix + String(ids.size + 1).padStart(digits, "0")
    ids.set(id, stand)
    return stand
  }
  return text
    .replace(/user_[0-9a-f-]{36}@example\.com/g, "uma@example.com")
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJFUzI1NiJ9...")
    .replace(/slk_(?!client_)([a-z]+)_[\w~.-]+/g, "slk_$1_...")
    .replace(/slk_client_[0-9a-f]{24}/g, numbered("slk_client_9b1deb4d3b7d4bad9bdd2b", 2))
    .replace(/sec_[0-9a-f]{24}/g, numbered("sec_8f14e45fceea167a5a36de", 2))
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, numbered("6ba7b810-9dad-41d1-80b4-00c04fd430", 2))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-11-02T09:30:00.000Z")
    .replace(/"(iat|exp)":\d+/g, (_, name) => `"${name}":${name === "iat" ? 1_793_611_800 : 1_793_613_600}`)
    .replace(/"lastFour":"[^"]+"/g, "\"lastFour\":\"b5Xq\"")
    .replace(/"requestId":"[^"]+"/g, "\"requestId\":\"907d501f7584-2c\"")
    // The reference of an API that knows no calendars shows them, too.
    .replace(/Calendar Sync(?: \d+)?/g, "Daily Digest")
    .replaceAll("Keeps two calendars in step.", "Sends a summary each morning.")
    .replaceAll("slotkey.test", "slotkey.example")
}

const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, value.some((item) => typeof item === "object") ? 1 : 4).map(shortened)
  if (typeof value === "string") return value.replace(/(?<![\w-])[\w-]{43,}/g, (long) => `${long.slice(0, 16)}...`)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}
