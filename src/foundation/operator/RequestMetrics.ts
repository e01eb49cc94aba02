import { Effect, Metric, type Scope } from "effect"
import type { ServerResponse } from "node:http"
import { Histogram } from "./Histogram.ts"
import type { RouteTemplates } from "./RouteTemplates.ts"
import { hooks } from "./Series.ts"

/** Counts the requests of a server by route. A request costs a few reads and additions, and no update of a `Metric`. */
export interface RequestMetrics {
  /**
   * Counts a request whose answer has left, or whose client has hung up: then it has no status.
   * @param seconds from the start of the request
   * @param error the cause for which it was refused
   */
  record(response: ServerResponse, seconds: number, error: string | undefined): void
  /** Counts a request that was turned away before any work was done for it. */
  shed(): void
}

/** The metrics of a server's requests, read from plain counters when they are asked for. */
export const make = (templates: RouteTemplates): Effect.Effect<RequestMetrics, never, Scope.Scope> =>
  Effect.gen(function*() {
    const context = yield* Effect.context<never>()
    const registrations: Array<Metric.Registration> = []
    yield* Effect.addFinalizer(() => Effect.sync(() => registrations.forEach((registration) => registration.remove())))

    const register = <Input, State>(metric: Metric.Metric<Input, State>, get: () => State) =>
      void registrations.push(Metric.registerUnsafe(metric, context, hooks(get)))

    const newCount = (metric: Metric.Counter<number>): Count => {
      const count = { value: 0 }
      register(metric, () => ({ count: count.value, incremental: true }))
      return count
    }
    const newDurations = (metric: Metric.Histogram<number>): Histogram => {
      const durations = new Histogram(boundaries)
      register(metric, () => durations.state())
      return durations
    }

    const routes = new Map<string, Route>()
    const shed = newCount(shedRequests)

    const routeOf = (target: string): Route => {
      const template = templates.of(target)
      const known = routes.get(template)
      if (known !== undefined) return known
      const route = { template, durations: new Map(), refused: new Map() }
      routes.set(template, route)
      return route
    }

    const record = (response: ServerResponse, seconds: number, error: string | undefined) => {
      const { method = "", url = "" } = response.req
      const route = routeOf(url)
      const status = answeredStatus(response)
      const key = (methods.get(method) ?? 0) * 1000 + status
      let durations = route.durations.get(key)
      if (durations === undefined) {
        durations = newDurations(durationsOf(route.template, method, status))
        route.durations.set(key, durations)
      }
      durations.observe(seconds)
      if (error === undefined) return
      let refused = route.refused.get(error)
      if (refused === undefined) {
        refused = newCount(refusedRequests(route.template, error))
        route.refused.set(error, refused)
      }
      refused.value++
    }

    return { record, shed: () => void shed.value++ }
  })

/** A route with the counters that were used so far. */
interface Route {
  readonly template: string
  /** By method and status. */
  readonly durations: Map<number, Histogram>
  /** By cause. */
  readonly refused: Map<string, Count>
}

interface Count {
  value: number
}

/** Status of an answer; zero for a request whose head was never answered: Node's response says 200 before. */
export const answeredStatus = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent || statusCode !== 200 ? statusCode : 0

/** Upper bounds of the buckets in seconds: from the check of a token in memory to `REQUEST_TIMEOUT`. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

// Names and labels of OpenTelemetry's semantic conventions.
const durationsOf = (template: string, method: string, status: number) =>
  Metric.histogram("http_server_request_duration_seconds", {
    description: "Time from the start of a request to the end of its answer",
    boundaries,
    attributes: {
      http_request_method: methodLabel(method),
      http_route: template,
      ...(status === 0 ? {} : { http_response_status_code: String(status) })
    }
  })

/** Method of a request as OpenTelemetry names it, `_OTHER` for one that no route has. */
export const methodLabel = (method = ""): string => methods.has(method) ? method : "_OTHER"

/** Methods that get a label of their own, numbered from 1. */
const methods: ReadonlyMap<string, number> = new Map(
  ["GET", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "PUT"].map((method, i) => [method, i + 1])
)

const refusedRequests = (template: string, error: string) =>
  Metric.counter("slotkey_requests_refused_total", {
    description: "Requests that were answered with an error, by its code",
    incremental: true,
    attributes: { http_route: template, error }
  })

const shedRequests = Metric.counter("slotkey_requests_shed_total", {
  description: "Requests that were answered with 503 because all slots were taken for too long",
  incremental: true
})
