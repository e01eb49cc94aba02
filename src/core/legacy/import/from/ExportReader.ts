import { Effect, Result, Stream, Struct } from "effect"
import * as CsvRecords from "../CsvRecords.ts"
import { beginning, bounded, type Line } from "../ImportFile.ts"
import { unreadable } from "../ImportRecord.ts"
import type { Row } from "../ImportRow.ts"
import { decodeObject, type Fields, isFields } from "../JsonRecords.ts"
import * as JsonRecords from "../JsonRecords.ts"
import { arrayIn } from "./ArrayInDocument.ts"
import * as ExportRow from "./ExportRow.ts"
import * as References from "./References.ts"
import type { ServerExport } from "./ServerExport.ts"
import { type Origin, servers } from "./Servers.ts"

/**
 * Reads the export of another server as it is: a JSON array, JSON lines, one document with an array, or CSV. A file of
 * another kind is read only until that shows.
 */
export const readExport = <E>(text: Stream.Stream<string, E>, origin: Origin): Stream.Stream<Line, E> =>
  Stream.unwrap(Effect.gen(function*() {
    const server = servers[origin.server]
    const read = ExportRow.read(server, origin, yield* References.open)
    const { all, head } = yield* beginning(text, isTelling)
    return rowsOf(server, all, head).pipe(
      Stream.mapAccum(() => false, (isKnown: boolean, row): readonly [boolean, ReadonlyArray<Line>] => {
        const rows = spread(server, row)
        const [first] = rows
        return !isKnown && first !== undefined && isForeign(server, first, isJson(head))
          ? [isKnown, [{ ...first, source: null, record: foreign(server, first) }]]
          : [isKnown || first !== undefined, rows.flatMap((row) => linesOf(row, read))]
      }),
      Stream.takeUntil(({ source }) => source === null)
    )
  }))

/** Enough of a text to tell its form: of an object the first line, unless that is longer than a row would be. */
const isTelling = (head: string): boolean => {
  const text = head.trimStart()
  return text !== "" && (text[0] !== "{" || text.includes("\n") || text.length >= 65_536)
}

const isJson = (head: string): boolean => /^\s*[[{]/.test(head)

type ExportedRow = Row<Fields>

const rowsOf = <E>({ rows }: ServerExport, text: Stream.Stream<string, E>, head: string) => {
  const start = head.trimStart()
  if (start === "") return Stream.empty
  if (!isJson(start)) return bounded(text, (text) => CsvRecords.lines(text, csv))
  if (start[0] === "[") return bounded(text, elements)
  const first = decodeObject(start.split("\n", 1)[0])
  return rows === null || (Result.isSuccess(first) && !(rows in first.success))
    ? bounded(text, (text) => JsonRecords.inLines(text, Result.succeed<Fields>))
    : bounded(arrayIn(text, rows), elements)
}

const elements = <E>(text: Stream.Stream<string, E>) => JsonRecords.inArray(text, Result.succeed<Fields>)

const csv: CsvRecords.Format<Fields> = {
  isColumn: () => true,
  read: (cells) => Result.succeed(Object.fromEntries(cells))
}

/** Rows of an element: itself, or those that it holds, as a realm among several does, or a page of an API's answer. */
const spread = ({ rows }: ServerExport, row: ExportedRow): ReadonlyArray<ExportedRow> => {
  const held = rows !== null && Result.isSuccess(row.record) ? row.record.success[rows] : undefined
  return Array.isArray(held)
    ? held.filter(isFields).map((fields) => ({
      ...row,
      source: JSON.stringify(fields),
      record: Result.succeed(fields)
    }))
    : [row]
}

const linesOf = (
  { record, ...row }: ExportedRow,
  read: ReturnType<typeof ExportRow.read>
): ReadonlyArray<Line> => {
  if (Result.isFailure(record)) return [{ ...row, record: Result.fail(record.failure) }]
  const found = read(record.success)
  return found === undefined ? [] : [{ ...row, ...found }]
}

/**
 * Tells whether the first row shows that the file is another's. What is wrong with a header of CSV says more itself.
 */
const isForeign = (server: ServerExport, { record, source }: ExportedRow, isInJson: boolean): boolean =>
  Result.isFailure(record)
    ? source === null && isInJson
    : !ExportRow.isOf(server, record.success) || lookOf(record.success, server) !== undefined

/** Another server whose export a row looks like, and by more signs if the row has this one's, too. */
const lookOf = (row: Fields, server: ServerExport): string | undefined => {
  const least = ExportRow.isOf(server, row) ? server.signs.length + 1 : 0
  const found = Struct.keys(servers).find((name) =>
    servers[name].signs.length >= least && ExportRow.isOf(servers[name], row)
  )
  return found === undefined ? undefined : `${servers[found].title} (--from ${found})`
}

const foreign = (server: ServerExport, { record }: ExportedRow) => {
  const look = Result.isSuccess(record) ? lookOf(record.success, server) : undefined
  const what = look === undefined ? "" : ` It looks like one of ${look}.`
  return unreadable("", `the file is no export of ${server.title}, which is ${server.expected}.${what}`)
}
