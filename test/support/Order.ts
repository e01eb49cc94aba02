import { readFileSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Order of the files. Those that start other programs mostly wait for them, so they are spread among those that work,
 * and the last files are short ones: then the cores have work from the beginning to the end.
 */
export class Order extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    // Those that took longest the last time come first, or the largest.
    const sorted = await super.sort(files)
    const waiting = sorted.filter(startsPrograms)
    const working = sorted.filter((file) => !startsPrograms(file))
    return [...placed(waiting, 0.8), ...placed(working, 1)].sort((a, b) => a.place - b.place).map(({ file }) => file)
  }
}

/** Places the files evenly in the first part of the run. */
const placed = (files: ReadonlyArray<TestSpecification>, part: number) =>
  files.map((file, index) => ({ file, place: part * index / files.length }))

const programs =
  /support\/(Browser|Gateway|NodeProcess|ObservedProcesses|Script|ServerProcess|Test(PgBouncer|Postgres|Redis|Sentinel)|WorkerProcess)\.ts/

const startsPrograms = ({ moduleId }: TestSpecification) => programs.test(readFileSync(moduleId, "utf8"))
