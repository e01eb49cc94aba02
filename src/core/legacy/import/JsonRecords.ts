import { Result, Schema, Stream } from "effect"
import { JsonArraySplitter } from "../../../domain/JsonArrayElements.ts"
import type { Line } from "./ImportFile.ts"
import { appFields, decodeRecord, unreadable } from "./ImportRecord.ts"

/**
 * The records of JSON lines. Where neither of the first two lines is an object, the file is something else, such as one
 * document over many lines, and is read no further.
 */
export const jsonLines = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  Stream.splitLines(text).pipe(
    Stream.mapAccum((): Reading => ({ last: 0, begins: true, broken: undefined }), readLine, {
      onHalt: ({ broken }) => broken === undefined ? [] : [broken]
    }),
    Stream.takeUntil(({ source }) => source === null)
  )

interface Reading {
  /** The number of the last line. */
  readonly last: number
  /** No record was read yet. */
  readonly begins: boolean
  /** The first line, if it is no object: the second one tells what to make of it. */
  readonly broken: Line | undefined
}

const readLine = ({ begins, broken, last }: Reading, content: string): readonly [Reading, ReadonlyArray<Line>] => {
  const line = last + 1
  const source = content.trim()
  if (source === "") return [{ last: line, begins, broken }, []]
  const read = { line, source, header: null, record: record(source) }
  const isBroken = begins && Result.isFailure(decodeObject(source))
  if (isBroken && broken === undefined) return [{ last: line, begins, broken: read }, []]
  const { line: at } = broken ?? read
  return [
    { last: line, begins: false, broken: undefined },
    isBroken
      ? [{ line: at, source: null, header: null, record: notLines }]
      : broken === undefined
      ? [read]
      : [broken, read]
  ]
}

const notLines = unreadable(
  "",
  "the file has no object on each line, as JSON lines have: write one document so with `jq -c`, or import a JSON array"
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
  const given = present(parsed.success)
  const unknown = Object.keys(given).filter((name) => !fields.has(name))
  if (unknown.length > 0) return unreadable(unknown.join(", "), "is not a field of the format", given["client_id"])
  const { client_id, refresh_tokens = [], rotates = false, idle_days = null, secrets = [], ...app } = given
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

/** The fields that have a value: `null` is absent, as it is in the exports of databases. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const mapEntries = (value: unknown, each: (entry: Fields) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry: unknown) => isFields(entry) ? each(present(entry)) : entry) : value

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
