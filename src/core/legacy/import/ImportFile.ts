import { Effect, Sink, Stream } from "effect"
import * as CsvRecords from "./CsvRecords.ts"
import type { ImportRecord } from "./ImportRecord.ts"
import { brokenOff, type Row } from "./ImportRow.ts"
import * as JsonRecords from "./JsonRecords.ts"

/** One record of an import file. */
export interface Line extends Row<ImportRecord> {
  /** Parts of the record in the export of another server that have no place here. */
  readonly losses?: ReadonlyArray<string>
}

/**
 * Reads a file of JSON lines, which begins with `{`, of one JSON array, which begins with `[`, or of CSV, as its text
 * comes. A line at fault does not stop the reading of the others.
 */
export const readImportFile = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  Stream.unwrap(Effect.map(beginning(text, (head) => head.trim() !== ""), ({ all, head }) => {
    const [first] = head.trimStart()
    if (first === undefined) return Stream.empty
    return bounded(all, (all): Stream.Stream<Line, E> =>
      first === "["
        ? JsonRecords.inArray(all, JsonRecords.decode)
        : first === "{"
        ? JsonRecords.inLines(all, JsonRecords.decode)
        : CsvRecords.lines(all, CsvRecords.format))
  }))

/**
 * Reads records as long as none of them takes more text than fits into memory with all that becomes of it. A file of
 * another kind may be one line from its first character to its last.
 */
export const bounded = <A, E>(
  text: Stream.Stream<string, E>,
  read: (text: Stream.Stream<string, E>) => Stream.Stream<Row<A>, E>
): Stream.Stream<Row<A>, E> =>
  Stream.suspend(() => {
    let last = 0
    /** Characters that were read since the last record. */
    let held = 0
    let isTooLong = false
    const records = text.pipe(
      Stream.takeWhile((piece) => {
        isTooLong = held > longestRecord
        held += piece.length
        return !isTooLong
      }),
      read,
      // A text that ends within a record makes no record, whatever the reader makes of it.
      Stream.takeWhile(({ line }) => {
        if (isTooLong) return false
        last = line
        held = 0
        return true
      })
    )
    return Stream.concat(
      records,
      Stream.suspend(() => isTooLong ? Stream.make<[Row<A>]>(brokenOff(last + 1, tooLong)) : Stream.empty)
    )
  })

/** In characters: some 100,000 refresh tokens of one app. */
export const longestRecord = 2 ** 24

const tooLong = `a record has more than ${longestRecord} characters: give the refresh tokens of an app on several lines`

/** Beginning of a text, as much as is enough to tell what it is, and the whole text. */
export const beginning = <E>(text: Stream.Stream<string, E>, isEnough: (head: string) => boolean) =>
  Effect.map(
    Stream.peel(
      text,
      Sink.reduceWhile(() => "", (head: string) => !isEnough(head), (head, chunk: string) => head + chunk)
    ),
    ([head, rest]) => ({ head, all: Stream.concat(Stream.make(head), rest) })
  )
