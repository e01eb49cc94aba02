import type { Status } from "./load/Traffic.ts"
import { isRed, type Row } from "./Run.ts"

/** Table of a run, in Markdown. */
export const table = (rows: ReadonlyArray<Row>): string =>
  [
    "| fault | what clients saw | lost | doubled | seconds to recover (limit) | |",
    "|---|---|--:|--:|---|---|",
    ...rows.map((row) =>
      `| ${row.fault.what} | ${seen(row)} | ${row.lost.length} | ${row.doubled.length} | ${recovery(row)} | ${
        isRed(row) ? "**red**" : ""
      } |`
    )
  ].join("\n")

/** One row with its story, for the log of a run. */
export const details = (row: Row): string =>
  [
    `${isRed(row) ? "RED" : "ok "} ${row.fault.name}: ${row.fault.what}`,
    `    saw ${seen(row)}`,
    `    ${row.answered.chains} chains, ${row.answered.revocations} revocations, ${row.answered.decisions} decisions; ` +
    `lost ${row.lost.length}, doubled ${row.doubled.length}; ${recovery(row)} s`,
    ...[...row.problems, ...row.delays].map((reason) => `    ! ${reason}`),
    ...some("lost", row.lost),
    ...some("doubled", row.doubled),
    ...some("cut off with their process", row.unanswered)
  ].join("\n")

const seen = ({ seen }: Row): string =>
  [...seen].map(([kind, statuses]) =>
    `${kind} ${[...statuses].sort(([a], [b]) => String(a).localeCompare(String(b))).map(times).join(" ")}`
  ).join(", ")

const times = ([status, count]: [Status, number]): string => `${status}×${count}`

const recovery = ({ fault: { recovers }, recovery }: Row): string =>
  `${seconds(recovery.clients)} (${recovers.clients}), notices ${seconds(recovery.notices)} (${recovers.notices}), ` +
  `from the ${recovers.from}`

const seconds = (value: number): string => Number.isFinite(value) ? value.toFixed(1) : "never"

const some = (title: string, stories: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = stories.length > shown ? [`      … and ${stories.length - shown} more`] : []
  return stories.length === 0
    ? []
    : [`    ${title}:`, ...stories.slice(0, shown).map((story) => `      ${story}`), ...more]
}

const shown = 8
