import { Effect, Result, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { type Fault, faults } from "../../../domain/Input.ts"
import { elementLines } from "../../../domain/JsonArrayLines.ts"
import { appFields, ImportRecord } from "./ImportRecord.ts"

/** One record of an import file, or what is wrong with it, and the number of the line where it begins. */
export interface Line {
  readonly line: number
  /** The record as it stands in the file, and the header line above all records of a CSV file. */
  readonly source: string
  readonly header: string | null
  readonly record: Result.Result<ImportRecord, ReadonlyArray<Fault>>
}

/** Reads a file of JSON lines, which begins with `{`, of one JSON array, which begins with `[`, or of CSV. A line at fault does not stop the reading of the others. */
export const readImportFile = (text: string): Effect.Effect<ReadonlyArray<Line>> => {
  const content = text.replace(/^\ufeff/, "")
  const start = content.trimStart()
  if (start === "") return Effect.succeed([])
  if (start.startsWith("[")) return Effect.succeed(jsonArray(content))
  return start.startsWith("{") ? Effect.succeed(jsonLines(content)) : csv(content)
}

/** The columns that a CSV file may have, in any order. */
export const columns: ReadonlyArray<string> = [
  "client_id",
  ...appFields,
  "rotates",
  "idle_days",
  "client_secret",
  "client_secret_algorithm",
  "refresh_token",
  "refresh_token_algorithm",
  "refresh_token_user",
  "refresh_token_expires_at"
]

const jsonLines = (text: string): ReadonlyArray<Line> =>
  text.split("\n").flatMap((content, at) =>
    content.trim() === "" ? [] : [{ line: at + 1, source: content.trim(), header: null, record: jsonRecord(content) }]
  )

const jsonArray = (text: string): ReadonlyArray<Line> => {
  const elements = decodeArray(text)
  if (Result.isFailure(elements)) {
    return [{ line: 1, source: "", header: null, record: fault("", "the file is not a JSON array") }]
  }
  const lines = elementLines(text)
  return elements.success.map((element, at) => {
    const source = JSON.stringify(element)
    return { line: lines[at] ?? 1, source, header: null, record: jsonRecord(source) }
  })
}

const jsonRecord = (content: string): Line["record"] => {
  const parsed = decodeJson(content)
  if (Result.isFailure(parsed)) return fault("", "the line is not a JSON object")
  const unknown = Object.keys(parsed.success).filter((name) => !jsonFields.has(name))
  if (unknown.length > 0) return fault(unknown.join(", "), "is not a field of the format")
  const { client_id, refresh_tokens = [], rotates = false, idle_days = null, secrets = [], ...app } = parsed.success
  return decode({
    ...(client_id === undefined ? {} : { client_id }),
    app: Object.keys(app).length === 0 ? null : app,
    rotates,
    idle_days,
    secrets: mapEntries(secrets, withAlgorithm("secret")),
    refresh_tokens: mapEntries(refresh_tokens, (entry) => {
      const { algorithm: _, token: __, ...rest } = entry
      return { ...rest, token: withAlgorithm("token")(entry) }
    })
  })
}

const mapEntries = (value: unknown, each: (entry: Fields) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry: unknown) => isFields(entry) ? each(entry) : entry) : value

/** The secret or token of an entry under `name`, in the form of the schema `EncodedSecret`. */
const withAlgorithm = (name: string) => ({ [name]: value, algorithm }: Fields) => ({
  ...(value === undefined ? {} : { value }),
  ...(algorithm === undefined ? {} : { algorithm })
})

const csv = (text: string): Effect.Effect<ReadonlyArray<Line>> =>
  Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ ignoreEmptyLines: false })),
    Stream.runCollect,
    Effect.map(csvLines),
    Effect.catch(({ line, message }) =>
      Effect.succeed([{ line, source: "", header: null, record: fault("", message) }])
    )
  )

const csvLines = ([header = [], ...records]: ReadonlyArray<Csv.Row>): ReadonlyArray<Line> => {
  const names = header.map((name) => name.trim())
  const unknown = names.filter((name, at) => !columns.includes(name) || names.indexOf(name) < at)
  if (unknown.length > 0) {
    const record = fault(unknown.join(", "), "is not a column of the format, or is repeated")
    return [{ line: 1, source: "", header: null, record }]
  }
  // A quoted cell may hold line breaks of its own.
  let line = 1 + lineBreaks(header)
  return records.flatMap((cells) => {
    const at = ++line
    line += lineBreaks(cells)
    if (cells.length === 1 && cells[0]?.trim() === "") return []
    return [{ line: at, source: csvText(cells), header: csvText(header), record: csvRecord(names, cells) }]
  })
}

const csvText = (cells: Csv.Row): string =>
  cells.map((cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell).join(",")

const lineBreaks = (cells: Csv.Row): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

const csvRecord = (names: ReadonlyArray<string>, cells: Csv.Row): Line["record"] => {
  if (cells.length !== names.length) return fault("", `the line has ${cells.length} cells, the header ${names.length}`)
  const fields = new Map(names.flatMap((name, at) => cells[at]?.trim() ? [[name, cells[at].trim()]] : []))
  const pick = (pairs: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(pairs).flatMap(([name, column]) => fields.has(column) ? [[name, fields.get(column)]] : [])
    )
  const app = appFields.filter((name) => fields.has(name)).map((name) => [
    name,
    name === "redirect_uris" || name === "scope_words" ? fields.get(name)?.split(/\s+/) : fields.get(name)
  ])
  const secret = pick({ value: "client_secret", algorithm: "client_secret_algorithm" })
  const token = pick({ value: "refresh_token", algorithm: "refresh_token_algorithm" })
  const about = pick({ user: "refresh_token_user", expires_at: "refresh_token_expires_at" })
  return decode({
    ...pick({ client_id: "client_id" }),
    app: app.length === 0 ? null : Object.fromEntries(app),
    rotates: truth(fields.get("rotates") ?? "false"),
    idle_days: count(fields.get("idle_days")),
    secrets: fields.has("client_secret") ? [secret] : [],
    refresh_tokens: fields.has("refresh_token") ? [{ token, ...about }] : []
  })
}

/** What cannot be read is left for the schema to refuse. */
const truth = (text: string): boolean | string => text === "true" || (text !== "false" && text)

const count = (text: string | undefined): number | string | null =>
  text === undefined ? null : /^[0-9]+$/.test(text) ? Number(text) : text

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const jsonFields: ReadonlySet<string> = new Set([
  "client_id",
  ...appFields,
  "rotates",
  "idle_days",
  "secrets",
  "refresh_tokens"
])

const decodeArray = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const decodeRecord = Schema.decodeUnknownResult(ImportRecord, { errors: "all", onExcessProperty: "error" })

const decode = (input: unknown): Line["record"] =>
  Result.mapError(
    decodeRecord(input),
    ({ issue }) => faults(issue).map(({ message, path }) => ({ path: path.replace(/^app\./, ""), message }))
  )

const fault = (path: string, message: string) => Result.fail([{ path, message }])
