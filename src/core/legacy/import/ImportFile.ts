import { Effect, type Result, Sink, Stream } from "effect"
import { csvLines } from "./CsvRecords.ts"
import type { ImportRecord, Misfit } from "./ImportRecord.ts"
import { jsonArray, jsonLines } from "./JsonRecords.ts"

/** One record of an import file, or what is wrong with it, and the number of the line where it begins. */
export interface Line {
  readonly line: number
  /** The record as it stands in the file; `null` where the file cannot be read any further. */
  readonly source: string | null
  /** The header line above all records of a CSV file. */
  readonly header: string | null
  readonly record: Result.Result<ImportRecord, Misfit>
}

/**
 * Reads a file of JSON lines, which begins with `{`, of one JSON array, which begins with `[`, or of CSV, as its text comes. A
 * line at fault does not stop the reading of the others.
 */
export const readImportFile = <E>(text: Stream.Stream<string, E>): Stream.Stream<Line, E> =>
  Stream.unwrap(Effect.map(Stream.peel(text, head), ([chunks, rest]) => {
    const [first] = chunks.join("").trimStart()
    const all = Stream.concat(Stream.fromIterable(chunks), rest)
    if (first === undefined) return Stream.empty
    return first === "[" ? jsonArray(all) : first === "{" ? jsonLines(all) : csvLines(all)
  }))

/** The chunks up to the first one that is not blank. */
const head = Sink.takeUntil((chunk: string) => chunk.trim() !== "")
