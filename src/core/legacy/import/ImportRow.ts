import type { Result } from "effect"
import { type Misfit, unreadable } from "./ImportRecord.ts"

/** One record of a file, or what is wrong with it, and the number of the line where it begins. */
export interface Row<A> {
  readonly line: number
  /** Record as it stands in the file; `null` where the file cannot be read any further. */
  readonly source: string | null
  /** Header line above all records of a CSV file. */
  readonly header: string | null
  readonly record: Result.Result<A, Misfit>
}

/** Stands where a file cannot be read any further, for a fault of this part of it. */
export const brokenOff = (line: number, message: string, path = ""): Row<never> => ({
  line,
  source: null,
  header: null,
  record: unreadable(path, message)
})
