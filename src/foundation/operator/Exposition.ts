import { Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { parseAccept } from "hono/utils/accept"

/** Metrics in the text format of Prometheus: those of this process, unless it speaks for several. */
export const MetricsText = Context.Reference<Effect.Effect<string>>(
  "slotkey/foundation/operator/Exposition/MetricsText",
  { defaultValue: PrometheusMetrics.format }
)

/**
 * Metrics in the format that the scraper prefers by its `Accept` header (RFC 9110 §12.5.1): OpenMetrics 1.0, or the
 * text format of Prometheus, which anybody gets who asks for neither.
 */
export const expose = (
  accept: string | undefined,
  metrics: Effect.Effect<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(metrics, (text) =>
    prefersOpenMetrics(accept)
      ? HttpServerResponse.text(openMetrics(text), { contentType: openMetricsType, headers })
      : HttpServerResponse.text(text, { contentType: textType, headers }))

const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"
const textType = "text/plain; version=0.0.4; charset=utf-8"
const headers = { "cache-control": "no-store", "vary": "accept" }

const prefersOpenMetrics = (accept: string | undefined): boolean => {
  const [first] = parseAccept(accept ?? "").filter(({ q, type }) =>
    q > 0 && ["application/openmetrics-text", "text/plain", "*/*"].includes(type.toLowerCase())
  )
  return first?.type.toLowerCase() === "application/openmetrics-text"
}

/**
 * Rewrites the text format, which is all that Effect writes. OpenMetrics names the family of a counter without
 * `_total`, states its unit, writes the bounds of buckets as floating point numbers, and marks the end.
 */
const openMetrics = (text: string): string => {
  const lines = text.split("\n").flatMap((line) => {
    const [, kind = "", name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === "") return line === "" ? [] : [line.replace(/le="(\d+)"/, `le="$1.0"`)]
    const family = name.replace(/_total$/, "")
    const [, unit] = /_(seconds|bytes)$/.exec(family) ?? []
    return [
      ...(kind === "TYPE" && unit !== undefined ? [`# UNIT ${family} ${unit}`] : []),
      `# ${kind} ${family} ${kind === "HELP" ? rest.replaceAll(`"`, `\\"`) : rest}`
    ]
  })
  return [...lines, "# EOF\n"].join("\n")
}
