import type { Day } from "../../core/legacy/migration/LegacyTraffic.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { barChart } from "../parts/BarChart.ts"

/** A bar for each day: requests without scope at the bottom, those with scope on top of them. */
export const trendChart = (days: ReadonlyArray<Day>): Html =>
  barChart({
    bars: days.map(({ scoped, unscoped }) => ({ low: unscoped, high: scoped })),
    parts: ["unscoped", "scoped"],
    label: label(days)
  })

/** Bars in words for screen readers: the first and the second half of the days. */
const label = (days: ReadonlyArray<Day>): Html => {
  const middle = Math.floor(days.length / 2)
  const unscoped = (some: ReadonlyArray<Day>) => sum(some, (day) => day.unscoped)
  const all = (some: ReadonlyArray<Day>) => sum(some, (day) => day.unscoped + day.scoped)
  const [first, second] = [days.slice(0, middle), days.slice(middle)]
  return text("board.trend", {
    unscopedFirst: unscoped(first),
    allFirst: all(first),
    unscopedSecond: unscoped(second),
    allSecond: all(second)
  })
}

const sum = (days: ReadonlyArray<Day>, of: (day: Day) => number): number =>
  days.reduce((total, day) => total + of(day), 0)
