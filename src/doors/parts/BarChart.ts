import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/** A bar: what is noteworthy at the bottom, and the rest on top of it. */
export interface Bar {
  readonly low: number
  readonly high: number
}

interface BarChart {
  readonly bars: ReadonlyArray<Bar>
  /** Bars in words, for those who cannot see them. */
  readonly label: Html
  /** Classes of the two parts, which give them their colours. */
  readonly parts: readonly [low: string, high: string]
  /** Class of the chart, which gives it its size, whatever its proportions; without one, units are as wide as high. */
  readonly size?: string
  /** Units from one bar to the next, the gap of one among them. */
  readonly step?: number
  readonly height?: number
}

/** Bars on a line, as a picture. Whatever is not zero is seen, however high the others are. */
export const barChart = ({ bars, height = 28, label, parts: [low, high], size, step = 4 }: BarChart): Html => {
  const peak = Math.max(1, ...bars.map((bar) => bar.low + bar.high))
  const heightOf = (value: number) => value === 0 ? 0 : Math.max(least, (value / peak) * (height - least))
  const drawn = bars.map((bar, at) => {
    const [middle, top] = [heightOf(bar.low), heightOf(bar.low) + heightOf(bar.high)]
    const part = (from: number, to: number): string =>
      to > from
        ? `M${at * step} ${round(height - from)}v${round(from - to)}h${step - 1}v${round(to - from)}z`
        : ""
    return { low: part(0, middle), high: part(middle, top) }
  })
  const width = bars.length * step
  return html`<svg class="trend${
    size === undefined ? nothing : html` ${size}`
  }" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" preserveAspectRatio="${
    size === undefined ? "xMidYMid" : "none"
  }" aria-label="${label}"><path class="${low}" d="${drawn.map((bar) => bar.low).join("")}"/><path class="${high}" d="${
    drawn.map((bar) => bar.high).join("")
  }"/></svg>`
}

/** Least height of what is not zero. */
const least = 1

const round = (value: number): number => Math.round(value * 10) / 10
