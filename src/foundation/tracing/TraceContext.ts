import { Context, Effect, Option, References, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"

/** Answers whether anybody takes the spans of this fiber: without a collector nothing is done for them. */
export const isTraced: Effect.Effect<boolean> = Effect.gen(function*() {
  return (yield* References.TracerEnabled) && (yield* Tracer.Tracer) !== Tracer.nativeTracer
})

/** Current span as the header `traceparent` names it (W3C Trace Context), if there is one. */
export const traceparent: Effect.Effect<Option.Option<string>> = Effect.gen(function*() {
  if (!(yield* isTraced)) return Option.none()
  return Option.map(yield* Effect.option(Effect.currentSpan), traceparentOf)
})

/** Span of a fiber with this context, if it will be sent to a collector. */
export const sampledSpan = (context: Context.Context<never>): Tracer.AnySpan | undefined => {
  if (Context.get(context, Tracer.Tracer) === Tracer.nativeTracer) return undefined
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  return span?.sampled === true ? span : undefined
}

export const traceparentOf = (span: Tracer.Span): string =>
  Option.getOrThrow(Headers.get(HttpTraceContext.toHeaders(span), "traceparent"))

/** Span of another process that a `traceparent` names; without a valid one there is no parent. */
export const parentOf = (traceparent: string | null | undefined): Tracer.ExternalSpan | undefined =>
  Option.getOrUndefined(HttpTraceContext.w3c(Headers.fromInput(traceparent ? { traceparent } : {})))
