import { Option, Redacted } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { degraded, ok } from "../../../foundation/operator/Readiness.ts"
import { collectorOf } from "../../../foundation/tracing/Tracing.ts"
import { httpCheck } from "./HttpCheck.ts"

/** Sends the collector of traces a batch without a span, as OTLP allows, with the headers of real ones. */
export const tracesCheck = (config: Settings) =>
  // Not named by its address, which may have a key in its query.
  Option.map(collectorOf(config), (url) =>
    httpCheck("traces", "degraded", "The collector of traces", async (signal) => {
      const isJson = config.otlpProtocol === "http/json"
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          ...Option.getOrUndefined(Option.map(config.otlpHeaders, Redacted.value)),
          "content-type": isJson ? "application/json" : "application/x-protobuf"
        },
        // A message of Protocol Buffers whose fields are all absent is empty.
        body: isJson ? `{"resourceSpans":[]}` : new Uint8Array(),
        signal
      })
      await response.body?.cancel()
      return response.ok
        ? ok("The collector of traces takes them.")
        : degraded(`The collector of traces answers ${response.status}.`)
    }))
