import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { expose } from "../../src/foundation/operator/Exposition.ts"

/** A line of the exposition. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Metrics of this process as a scraper with this `Accept` header gets them. */
export const scrape = (accept?: string) =>
  Effect.flatMap(expose(accept, PrometheusMetrics.format()), (response) =>
    Effect.promise(async () => {
      const web = HttpServerResponse.toWeb(response)
      return { type: web.headers.get("content-type"), text: await web.text() }
    }))

/** Same, taken apart. */
export const samples = Effect.map(scrape(), ({ text }): ReadonlyArray<Sample> =>
  text.split("\n").flatMap((line) => {
    const [, name = "", labels = "", value = ""] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    return name === "" ? [] : [{ name, labels: labelsOf(labels), value: Number(value) }]
  }))

const labelsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]))

/** Sum of the samples of this name that have these labels. */
export const total = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  Effect.map(samples, (all) =>
    all
      .filter((sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
      )
      .reduce((sum, { value }) => sum + value, 0))
