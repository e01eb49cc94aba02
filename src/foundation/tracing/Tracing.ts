import { Effect, Layer, Option, Redacted, References, Tracer } from "effect"
import { HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { hostname } from "node:os"
import manifest from "../../../package.json" with { type: "json" }
import { AppConfig } from "../config/AppConfig.ts"
import { names } from "../config/SettingNames.ts"
import * as Collector from "./Collector.ts"
import { withoutSecrets } from "./ExportedSpan.ts"
import { sampled } from "./Sampler.ts"

// This room sends traces to the operator's collector, by Effect's exporter: which of them, and what of them.

/**
 * Traces of a process, named so unless `OTEL_SERVICE_NAME` says otherwise; without a collector no spans are made at
 * all.
 */
export const layer = (process: string): Layer.Layer<never, never, AppConfig> =>
  Layer.unwrap(Effect.map(AppConfig, (config) =>
    Option.match(collectorOf(config), {
      onNone: () => Untraced,
      onSome: ({ href }) => Layer.mergeAll(exporting(href, process, config), UntracedProbes, IgnoredVariables)
    })))

/** Address to which traces are sent, if any. */
export const collectorOf = (
  { otlpEndpoint, otlpTracesEndpoint }: Pick<AppConfig["Service"], "otlpEndpoint" | "otlpTracesEndpoint">
): Option.Option<URL> => Option.orElse(otlpTracesEndpoint, () => Option.map(otlpEndpoint, tracesUrl))

// Spans that nobody takes cost a tenth of the time of a token request.
const Untraced = Layer.succeed(References.TracerEnabled, false)

// Asked every few seconds by machines, they would hide the rest.
const UntracedProbes = HttpMiddleware.layerTracerDisabledForUrls(["/healthz", "/readyz", "/metrics"])

// Somebody who has set one expects something of it.
const IgnoredVariables = Layer.effectDiscard(Effect.suspend(() => {
  const known = new Set(names)
  const ignored = Object.keys(globalThis.process.env).filter((name) => name.startsWith("OTEL_") && !known.has(name))
  return ignored.length === 0 ? Effect.void : Effect.logInfo(`Without effect here: ${ignored.join(", ")}`)
}))

const exporting = (url: string, process: string, config: AppConfig["Service"]): Layer.Layer<never> => {
  const attributes: Readonly<Record<string, string>> = Option.getOrElse(config.resourceAttributes, () => ({}))
  return Layer.effect(
    Tracer.Tracer,
    Effect.map(
      OtlpTracer.make({
        url,
        headers: Option.getOrUndefined(Option.map(config.otlpHeaders, Redacted.value)),
        resource: {
          serviceName: Option.getOrElse(config.serviceName, () => attributes["service.name"] ?? process),
          serviceVersion: manifest.version,
          attributes: { "host.name": hostname(), "process.pid": globalThis.process.pid, ...attributes }
        },
        exportInterval: "1 second",
        maxBatchSize: 1_000,
        // A stop waits no longer for a collector that does not answer.
        shutdownTimeout: "2 seconds"
      }),
      (tracer) => sampled(tracer, config)
    )
  ).pipe(
    Layer.provide([OtlpExporter.layerFlusher, Collector.layer(config.otlpTimeout), serialization(config)])
  )
}

const serialization = ({ otlpProtocol }: AppConfig["Service"]) =>
  Layer.effect(
    OtlpSerialization.OtlpSerialization,
    Effect.map(
      OtlpSerialization.OtlpSerialization,
      (written) => ({ ...written, traces: (data: OtlpTracer.TraceData) => written.traces(withoutSecrets(data)) })
    )
  ).pipe(
    Layer.provide(otlpProtocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf)
  )

const tracesUrl = (endpoint: URL): URL => {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url
}
