import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import type { Times } from "../../src/foundation/jobs/Job.ts"
import { english } from "../../src/foundation/messages/Languages.ts"
import { durationIn } from "../../src/foundation/web/DateText.ts"
import { workers } from "../../workers/Workers.ts"
import { assertTable } from "../support/DocumentTable.ts"

describe("docs/jobs.md", () => {
  it("lists every queue with what its jobs do and when (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "docs/jobs.md",
      "queues",
      ["queue", "what", "when"],
      workers.map(({ does, kind }) => {
        const when = [
          ...(kind.schedule === undefined ? [] : [timesText(kind.schedule.times)]),
          ...(isPublished(kind.queue) ? ["published"] : [])
        ]
        assert.isNotEmpty(when, `nothing has a job of ${kind.queue} done`)
        return [`\`${kind.queue}\``, does, when.join(", or ")]
      })
    )
  })
})

/** "every hour", "every 10 minutes", "3:00 UTC" */
const timesText = (times: Times): string => {
  if ("every" in times) return `every ${durationIn(english, times.every).replace(/^1 /, "")}`
  const [, minute = "", hour] = /^(\d+) (\d+) \* \* \*$/.exec(times.cron) ??
    assert.fail(`no words are known for ${times.cron}`)
  return `${hour}:${minute.padStart(2, "0")} UTC`
}

const root = resolve(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const sources = globSync("{src,workers}/**/*.ts", { cwd: root }).map(read)

/** Queues of the kinds by their names, which are those of their files. */
const names = new Map(
  globSync("src/foundation/jobs/kinds/*.ts", { cwd: root }).map((path) =>
    [/queue: "([^"]+)"/.exec(read(path))?.[1], basename(path, ".ts")] as const
  )
)

/** Tells if some part of the server makes jobs of this queue, besides its schedule. */
const isPublished = (queue: string): boolean => {
  const name = names.get(queue) ?? assert.fail(`no file in kinds has the queue ${queue}`)
  return sources.some((text) => text.includes(`${name}.make(`))
}
