import { type Cause, Clock, Duration, Effect, Layer, References, Schedule } from "effect"
import { FetchHttpClient, HttpClient, type HttpClientError, HttpClientResponse } from "effect/http"

/**
 * Way to the collector of traces. It takes a few batches at a time, each for a limited time, and drops what is beyond
 * that: a collector that is slow or away costs neither memory nor a request. The exporter always hears that a batch was
 * taken: after one that was not, it would silently give up for a minute.
 */
export const layer = (timeout: Duration.Duration): Layer.Layer<HttpClient.HttpClient> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      const send = client.pipe(
        HttpClient.filterStatusOk,
        HttpClient.retryTransient({ times: 3, schedule: Schedule.exponential("250 millis") })
      )
      const outage = makeOutage()
      let sending = 0
      return HttpClient.make((request) => {
        const taken = Effect.succeed(HttpClientResponse.fromWeb(request, new Response()))
        if (sending >= maxSending) return Effect.andThen(outage.begin("it is too slow"), taken)
        sending++
        return send.execute(request).pipe(
          Effect.flatMap(({ arrayBuffer }) => arrayBuffer),
          Effect.timeout(timeout),
          Effect.matchEffect({
            onFailure: (error) => outage.begin(reasonOf(error)),
            onSuccess: () => outage.end
          }),
          Effect.ensuring(Effect.sync(() => sending--)),
          Effect.andThen(taken)
        )
      })
    })
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    // The headers hold a secret, which is for this address alone.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

const maxSending = 4

// Not the message of the error, which names the whole address: a key may be in its query.
const reasonOf = (error: HttpClientError.HttpClientError | Cause.TimeoutError): string => {
  if (error._tag === "TimeoutError") return "it does not answer"
  const { reason } = error
  if (reason._tag === "StatusCodeError") return `it answers ${reason.response.status}`
  const system = reason.cause instanceof Error ? reason.cause.cause : undefined
  return `it cannot be reached: ${system instanceof Error ? system.message : reason._tag}`
}

/**
 * One line when batches begin to be lost, one when they are not any more. It is over with a batch that is taken, and
 * not with time as in `OutageLog`: with little traffic, minutes pass between two of them.
 */
const makeOutage = () => {
  let lost = 0
  let lastLoss = 0

  const begin = Effect.fnUntraced(function*(reason: string) {
    lastLoss = yield* Clock.currentTimeMillis
    if (lost++ > 0) return
    yield* Effect.logError(
      "The collector of traces takes no spans. They are dropped until it does. Check that it runs, and that " +
        "OTEL_EXPORTER_OTLP_ENDPOINT names it."
    ).pipe(Effect.annotateLogs({ reason }))
  }, ofCollector)

  const end = Effect.gen(function*() {
    // One that is taken between others that are lost ends nothing.
    if (lost === 0 || (yield* Clock.currentTimeMillis) - lastLoss < quietMillis) return
    yield* Effect.logInfo("The collector of traces takes spans again.").pipe(Effect.annotateLogs({ batches: lost }))
    lost = 0
  }).pipe(ofCollector)

  return { begin, end }
}

// The exporter's own annotations say nothing to operators.
const ofCollector = (log: Effect.Effect<void>) =>
  log.pipe(
    Effect.annotateLogs({ outage: "traces" }),
    Effect.provideService(References.CurrentLogAnnotations, {})
  )

const quietMillis = 10_000
