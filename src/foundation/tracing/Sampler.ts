import { Option, Tracer } from "effect"
import type { AppConfig } from "../config/AppConfig.ts"

type Settings = Pick<AppConfig["Service"], "requestTraceparent" | "tracesSampler" | "tracesSamplerArg">

/**
 * A tracer that samples as `OTEL_TRACES_SAMPLER` says, and continues the trace of a caller if `REQUEST_TRACEPARENT`
 * lets it. A trace begins with a request, a job, a command, or wherever another process began it; of what a process
 * does on its own, such as a look into the outbox every half second, there is none.
 */
export const sampled = (tracer: Tracer.Tracer, settings: Settings): Tracer.Tracer => {
  const decide = decision(settings)
  return Tracer.make({
    span: (asked) => {
      const isIgnored = settings.requestTraceparent === "ignore" && asked.kind === "server"
      const options = isIgnored ? { ...asked, parent: Option.none() } : asked
      const parent = Option.getOrUndefined(options.parent)
      if (parent?._tag === "Span") return tracer.span({ ...options, sampled: parent.sampled })
      // The decision needs the id, which only the span knows when it begins a trace.
      const span = tracer.span({ ...options, sampled: true })
      return Object.assign(span, { sampled: isEntry(options) && decide(span.traceId, parent) })
    }
  })
}

type SpanOptions = Parameters<Tracer.Tracer["span"]>[0]

const isEntry = ({ kind, parent, root }: SpanOptions): boolean =>
  root || kind === "server" || kind === "consumer" || Option.isSome(parent)

type Decision = (traceId: string, parent: Tracer.ExternalSpan | undefined) => boolean

const decision = ({ tracesSampler, tracesSamplerArg }: Settings): Decision => {
  const kind = tracesSampler.replace("parentbased_", "")
  const share = kind === "traceidratio" ? tracesSamplerArg : kind === "always_on" ? 1 : 0
  // The last digits of the id are random (W3C Trace Context §3.2.2.3), so that all processes decide alike.
  const ofRoot = (traceId: string) => Number.parseInt(traceId.slice(-12), 16) < share * 2 ** 48
  return kind === tracesSampler ? ofRoot : (traceId, parent) => parent?.sampled ?? ofRoot(traceId)
}
