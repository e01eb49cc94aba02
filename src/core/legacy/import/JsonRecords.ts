import { Result, Schema, Stream } from "effect"
import { JsonArraySplitter } from "../../../domain/JsonArrayElements.ts"
import type { Line } from "./ImportFile.ts"
import { appFields, decodeRecord, unreadable } from "./ImportRecord.ts"

/** The records of JSON lines. */
export const jsonLines = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  Stream.splitLines(text).pipe(
    Stream.mapAccum(() => 0, (last, content) => {
      const source = content.trim()
      const line = last + 1
      return [line, source === "" ? [] : [{ line, source, header: null, record: record(source) }]]
    })
  )

/** The records of one JSON array. */
export const jsonArray = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  text.pipe(
    Stream.mapAccum(
      () => new JsonArraySplitter(),
      (splitter, chunk): readonly [JsonArraySplitter, ReadonlyArray<Line>] => [
        splitter,
        splitter.push(chunk).map(({ line, text }) => {
          const source = oneLine(text)
          return { line, source, header: null, record: record(source) }
        })
      ],
      {
        onHalt: ({ faultyLine: line }) =>
          line === undefined
            ? []
            : [{ line, source: null, header: null, record: unreadable("", "the file is not a JSON array") }]
      }
    )
  )

const oneLine = (text: string): string => {
  const parsed = decodeUnknown(text)
  return Result.isSuccess(parsed) ? JSON.stringify(parsed.success) : text.replaceAll(/\s+/g, " ")
}

const record = (content: string): Line["record"] => {
  const parsed = decodeObject(content)
  if (Result.isFailure(parsed)) return unreadable("", "the line is not a JSON object")
  const unknown = Object.keys(parsed.success).filter((name) => !fields.has(name))
  if (unknown.length > 0) return unreadable(unknown.join(", "), "is not a field of the format")
  const { client_id, refresh_tokens = [], rotates = false, idle_days = null, secrets = [], ...app } = parsed.success
  return decodeRecord({
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

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const mapEntries = (value: unknown, each: (entry: Fields) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry: unknown) => isFields(entry) ? each(entry) : entry) : value

/** The secret or token of an entry under `name`, in the form of the schema `EncodedSecret`. */
const withAlgorithm = (name: string) => ({ [name]: value, algorithm }: Fields) => ({
  ...(value === undefined ? {} : { value }),
  ...(algorithm === undefined ? {} : { algorithm })
})

const fields: ReadonlySet<string> = new Set([
  "client_id",
  ...appFields,
  "rotates",
  "idle_days",
  "secrets",
  "refresh_tokens"
])

const decodeUnknown = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

const decodeObject = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
