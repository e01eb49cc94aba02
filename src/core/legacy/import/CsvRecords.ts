import { type Result, Stream } from "effect"
import { Csv } from "effect/encoding"
import { appFields, decodeRecord, type ImportRecord, type Misfit, unreadable } from "./ImportRecord.ts"
import { brokenOff, type Row } from "./ImportRow.ts"

/** Columns that a file may have, and the way from the cells of a line to a record. */
export interface Format<A> {
  readonly isColumn: (name: string) => boolean
  readonly read: (cells: ReadonlyMap<string, string>) => Result.Result<A, Misfit>
}

/** Columns that a CSV file of our own format may have, in any order. */
const columns: ReadonlyArray<string> = [
  "client_id",
  ...appFields,
  "owner_issuer",
  "owner_subject",
  "rotates",
  "idle_days",
  "client_secret",
  "client_secret_algorithm",
  "refresh_token",
  "refresh_token_algorithm",
  "refresh_token_user",
  "refresh_token_user_issuer",
  "refresh_token_user_subject",
  "refresh_token_issued_at",
  "refresh_token_expires_at"
]

export const lines = <A, E>(text: Stream.Stream<string, E>, format: Format<A>): Stream.Stream<Row<A>, E> =>
  text.pipe(
    Stream.pipeThroughChannelOrFail(Csv.decodeString({ ignoreEmptyLines: false })),
    Stream.mapAccum((): Reading => ({ line: 0, names: null, header: "" }), readCells(format)),
    // A header at fault says nothing about what stands below it.
    Stream.takeUntil(({ source }) => source === null),
    Stream.catchIf(
      Csv.isCsvError,
      ({ kind, line, message }) => Stream.make<[Row<A>]>(brokenOff(line, kind === "RecordSize" ? tooLong : message))
    )
  )

/** Bound of the decoder. */
const tooLong = "a record has more than 1048576 characters: it may begin with a quote that is not closed"

/** Names of the columns, once the header was read, and the number of the last line that was. */
interface Reading {
  readonly line: number
  readonly names: ReadonlyArray<string> | null
  readonly header: string
}

const readCells =
  <A>({ isColumn, read }: Format<A>) =>
  ({ header, line: last, names }: Reading, cells: Csv.Row): readonly [Reading, ReadonlyArray<Row<A>>] => {
    // A quoted cell may hold line breaks of its own.
    const line = last + 1 + lineBreaks(cells)
    if (names !== null) {
      const isBlank = cells.length === 1 && cells[0]?.trim() === ""
      const record = cells.length === names.length
        ? read(new Map(names.flatMap((name, at) => cells[at]?.trim() ? [[name, cells[at].trim()]] : [])))
        : unreadable("", `the line has ${cells.length} cells, the header ${names.length}`)
      return [{ line, names, header }, isBlank ? [] : [{ line: last + 1, source: csvText(cells), header, record }]]
    }
    const found = cells.map((name) => name.trim())
    const unknown = found.filter((name, at) => !isColumn(name) || found.indexOf(name) < at)
    const [separator] = found.length === 1 ? /[;\t|]/.exec(cells[0] ?? "") ?? [] : []
    const fault = separator !== undefined
      ? brokenOff(1, `the columns are separated by ${JSON.stringify(separator)}: only commas are read`)
      : unknown.length > 0
      ? brokenOff(1, "is not a column of the format, or is repeated", unknown.join(", "))
      : undefined
    return [{ line, names: found, header: csvText(cells) }, fault === undefined ? [] : [fault]]
  }

/** A line of CSV (RFC 4180). */
export const csvText = (cells: Csv.Row): string =>
  cells.map((cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell).join(",")

const lineBreaks = (cells: Csv.Row): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

const decode = (fields: ReadonlyMap<string, string>): Result.Result<ImportRecord, Misfit> => {
  const pick = (pairs: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(pairs).flatMap(([name, column]) => fields.has(column) ? [[name, fields.get(column)]] : [])
    )
  const twice = ["owner", "refresh_token_user"].find((name) =>
    fields.has(name) && (fields.has(`${name}_issuer`) || fields.has(`${name}_subject`))
  )
  if (twice !== undefined) {
    return unreadable(twice, "stands beside an issuer or a subject: leave one of the two out", fields.get("client_id"))
  }
  /** An account by a name of its own, or by issuer and subject. */
  const account = (field: string, column: string) => {
    const subject = pick({ issuer: `${column}_issuer`, subject: `${column}_subject` })
    return Object.keys(subject).length === 0 ? pick({ [field]: column }) : { [field]: subject }
  }
  const app = {
    ...account("owner", "owner"),
    ...Object.fromEntries(
      appFields.filter((name) => name !== "owner" && fields.has(name)).map((name) => [
        name,
        name === "redirect_uris" || name === "scope_words" ? fields.get(name)?.split(/\s+/) : fields.get(name)
      ])
    )
  }
  const secret = pick({ value: "client_secret", algorithm: "client_secret_algorithm" })
  const token = pick({ value: "refresh_token", algorithm: "refresh_token_algorithm" })
  const about = pick({
    issued_at: "refresh_token_issued_at",
    expires_at: "refresh_token_expires_at"
  })
  return decodeRecord({
    ...pick({ client_id: "client_id" }),
    app: Object.keys(app).length === 0 ? null : app,
    rotates: truth(fields.get("rotates") ?? "false"),
    idle_days: count(fields.get("idle_days")),
    secrets: fields.has("client_secret") ? [secret] : [],
    refresh_tokens: fields.has("refresh_token") ? [{ token, ...account("user", "refresh_token_user"), ...about }] : []
  })
}

export const format: Format<ImportRecord> = { isColumn: (name) => columns.includes(name), read: decode }

/** Leaves text that cannot be read for the schema to refuse. */
const truth = (text: string): boolean | string => text === "true" || (text !== "false" && text)

const count = (text: string | undefined): number | string | null =>
  text === undefined ? null : /^[0-9]+$/.test(text) ? Number(text) : text
