import type { Day } from "../../core/legacy/migration/LegacyTraffic.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** A bar for each day: requests without scope at the bottom, those with scope on top of them. */
export const trendChart = (days: ReadonlyArray<Day>): Html => {
  const peak = Math.max(1, ...days.map(({ scoped, unscoped }) => scoped + unscoped))
  const bars = days.map(({ scoped, unscoped }, at) => {
    const [low, high] = [(unscoped / peak) * height, ((scoped + unscoped) / peak) * height]
    return { unscoped: bar(at, 0, low), scoped: bar(at, low, high) }
  })
  return html`<svg class="trend" role="img" viewBox="0 0 ${days.length * step} ${height}" width="${
    days.length * step
  }" height="${height}" aria-label="${label(days)}"><path class="unscoped" d="${
    bars.map(({ unscoped }) => unscoped).join("")
  }"/><path class="scoped" d="${bars.map(({ scoped }) => scoped).join("")}"/></svg>`
}

const [step, width, height] = [4, 3, 28] as const

const bar = (at: number, from: number, to: number): string =>
  to > from ? `M${at * step} ${round(height - from)}v${round(from - to)}h${width}v${round(to - from)}z` : ""

const round = (value: number): number => Math.round(value * 10) / 10

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
