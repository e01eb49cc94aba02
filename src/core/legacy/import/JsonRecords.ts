import { Result, Schema, Stream } from "effect"
import { JsonArraySplitter } from "../../../domain/JsonArrayElements.ts"
import { appFields, decodeRecord, type ImportRecord, type Misfit, unreadable } from "./ImportRecord.ts"
import { brokenOff, type Row } from "./ImportRow.ts"

export type Fields = Readonly<Record<string, unknown>>

type Read<A> = (fields: Fields) => Result.Result<A, Misfit>

/**
 * Records of JSON lines. Where neither of the first two lines is an object, the file is something else, such as one
 * document over many lines, and is read no further.
 */
export const inLines = <A, E>(text: Stream.Stream<string, E>, read: Read<A>): Stream.Stream<Row<A>, E> =>
  Stream.splitLines(text).pipe(
    Stream.mapAccum((): Reading<A> => ({ last: 0, begins: true, broken: undefined }), readLine(read), {
      onHalt: ({ broken }) => broken === undefined ? [] : [broken]
    }),
    Stream.takeUntil(({ source }) => source === null)
  )

interface Reading<A> {
  readonly last: number
  /** No record was read yet. */
  readonly begins: boolean
  /** The first line, if it is no object: the second one tells what to make of it. */
  readonly broken: Row<A> | undefined
}

const readLine =
  <A>(read: Read<A>) =>
  ({ begins, broken, last }: Reading<A>, content: string): readonly [Reading<A>, ReadonlyArray<Row<A>>] => {
    const line = last + 1
    const source = content.trim()
    if (source === "") return [{ last: line, begins, broken }, []]
    const row = { line, source, header: null, record: readText(source, read) }
    const isBroken = begins && Result.isFailure(decodeObject(source))
    if (isBroken && broken === undefined) return [{ last: line, begins, broken: row }, []]
    const { line: at } = broken ?? row
    return [
      { last: line, begins: false, broken: undefined },
      isBroken
        ? [brokenOff(at, notLines)]
        : broken === undefined
        ? [row]
        : [broken, row]
    ]
  }

const notLines =
  "the file has no object on each line, as JSON lines have: write one document so with `jq -c`, or import a JSON array"

export const inArray = <A, E>(text: Stream.Stream<string, E>, read: Read<A>): Stream.Stream<Row<A>, E> =>
  text.pipe(
    Stream.mapAccum(
      () => new JsonArraySplitter(),
      (splitter, chunk): readonly [JsonArraySplitter, ReadonlyArray<Row<A>>] => [
        splitter,
        splitter.push(chunk).map(({ line, text }) => {
          const source = oneLine(text)
          return { line, source, header: null, record: readText(source, read) }
        })
      ],
      {
        onHalt: ({ faultyLine: line }) =>
          line === undefined ? [] : [brokenOff(line, "the file is not a JSON array, or ends early")]
      }
    )
  )

const oneLine = (text: string): string => {
  const parsed = decodeUnknown(text)
  return Result.isSuccess(parsed) ? JSON.stringify(parsed.success) : text.replaceAll(/\s+/g, " ")
}

const readText = <A>(content: string, read: Read<A>): Result.Result<A, Misfit> => {
  const parsed = decodeObject(content)
  return Result.isFailure(parsed) ? unreadable("", "the line is not a JSON object") : read(present(parsed.success))
}

/** Decodes an object of our own format. */
export const decode = (given: Fields): Result.Result<ImportRecord, Misfit> => {
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

/** Fields that have a value: `null` is absent, as it is in the exports of databases. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

export const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const mapEntries = (value: unknown, each: (entry: Fields) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry: unknown) => isFields(entry) ? each(present(entry)) : entry) : value

/** Secret or token of an entry under `name`, in the form of the schema `EncodedSecret`. */
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

export const decodeObject = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)
