import { Effect, Option, Redacted } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"
import { collectorOf } from "../../../foundation/tracing/Tracing.ts"
import { reasonOf } from "./BaseUrlCheck.ts"

/** Sends the collector of traces a batch without a span, as OTLP allows, with the headers of real ones. */
export const tracesCheck = (config: Settings): Option.Option<Check<"traces">> =>
  Option.map(collectorOf(config), (url) => ({
    name: "traces",
    otherwise: "degraded",
    probe: Effect.tryPromise({
      try: async (signal) => {
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
      },
      // Not the address, which may have a key in its query.
      catch: (cause) => degraded(`The collector of traces cannot be reached from here: ${reasonOf(cause)}`)
    }).pipe(Effect.catch(Effect.succeed))
  }))
