import { Layer, Option, Tracer } from "effect"

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

/** Names of the spans that a span is in, the innermost first. */
export const namesAbove = (span: Tracer.AnySpan | undefined): ReadonlyArray<string> => {
  const parent = span?._tag === "Span" ? Option.getOrUndefined(span.parent) : undefined
  return parent?._tag === "Span" ? [parent.name, ...namesAbove(parent)] : []
}
