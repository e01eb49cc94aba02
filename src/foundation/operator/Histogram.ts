import type { Metric } from "effect"

/**
 * A histogram that is counted by plain additions and read when the metrics are asked for: a `Metric` of Effect looks
 * its series up for each value, which the hot path feels.
 */
export class Histogram {
  readonly #boundaries: ReadonlyArray<number>
  readonly #counts: Array<number>
  #count = 0
  #sum = 0
  #min = Infinity
  #max = 0

  /** @param boundaries the upper bounds of the buckets, in rising order */
  constructor(boundaries: ReadonlyArray<number>) {
    this.#boundaries = boundaries
    this.#counts = boundaries.map(() => 0)
  }

  observe(value: number): void {
    let bucket = 0
    while (value > (this.#boundaries[bucket] ?? Infinity)) bucket++
    // The last bucket, which has no bound, is the count of all.
    if (bucket < this.#counts.length) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#count++
    this.#sum += value
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  state(): Metric.HistogramState {
    let total = 0
    const buckets = this.#boundaries.map((boundary, i): [number, number] => [boundary, total += this.#counts[i] ?? 0])
    return { buckets, count: this.#count, min: this.#min, max: this.#max, sum: this.#sum }
  }
}
