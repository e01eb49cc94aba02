import { Layer, Tracer } from "effect"

/** A tracer that keeps its spans, as one with a collector does. */
export const recordedSpans = (): { readonly spans: Array<Tracer.Span>; readonly layer: Layer.Layer<never> } => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, layer: Layer.succeed(Tracer.Tracer, tracer) }
}
