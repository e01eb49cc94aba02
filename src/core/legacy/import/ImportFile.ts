import { Effect, type Result, Sink, Stream } from "effect"
import * as CsvRecords from "./CsvRecords.ts"
import type { ImportRecord, Misfit } from "./ImportRecord.ts"
import * as JsonRecords from "./JsonRecords.ts"

/** One record of a file, or what is wrong with it, and the number of the line where it begins. */
export interface Row<A> {
  readonly line: number
  /** The record as it stands in the file; `null` where the file cannot be read any further. */
  readonly source: string | null
  /** The header line above all records of a CSV file. */
  readonly header: string | null
  readonly record: Result.Result<A, Misfit>
}

/** One record of an import file. */
export interface Line extends Row<ImportRecord> {
  /** The parts of the record in the export of another server that have no place here. */
  readonly losses?: ReadonlyArray<string>
}

/**
 * Reads a file of JSON lines, which begins with `{`, of one JSON array, which begins with `[`, or of CSV, as its text comes. A
 * line at fault does not stop the reading of the others.
 */
export const readImportFile = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  Stream.unwrap(Effect.map(beginning(text, (head) => head.trim() !== ""), ({ all, head }) => {
    const [first] = head.trimStart()
    if (first === undefined) return Stream.empty
    return first === "["
      ? JsonRecords.inArray(all, JsonRecords.decode)
      : first === "{"
      ? JsonRecords.inLines(all, JsonRecords.decode)
      : CsvRecords.lines(all, CsvRecords.format)
  }))

/** The beginning of a text, as much as is enough to tell what it is, and the whole text. */
export const beginning = <E>(text: Stream.Stream<string, E>, isEnough: (head: string) => boolean) =>
  Effect.map(
    Stream.peel(
      text,
      Sink.reduceWhile(() => "", (head: string) => !isEnough(head), (head, chunk: string) => head + chunk)
    ),
    ([head, rest]) => ({ head, all: Stream.concat(Stream.make(head), rest) })
  )
