import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Deferred, Duration, Effect, Layer, Option, Scope } from "effect"
import {
  HttpRouter,
  HttpServer,
  type HttpServerError,
  type HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import type { SqlClient } from "effect/sql"
import { Brands } from "../domain/brand/Brand.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../foundation/database/DatabaseClock.ts"
import type { DatabaseHosts } from "../foundation/database/hosts/DatabaseHosts.ts"
import { securityHeaders } from "../foundation/http/SecurityHeaders.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"
import * as RequestMetrics from "../foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../foundation/operator/RouteTemplates.ts"
import * as Tracing from "../foundation/tracing/Tracing.ts"
import { publicPathOf } from "../foundation/web/PublicPath.ts"
import * as AccessLog from "./AccessLog.ts"
import * as AdmissionControl from "./AdmissionControl.ts"
import { Drain, ListeningServer } from "./Drain.ts"
import * as GroupMember from "./GroupMember.ts"
import { OperatorServices, ServerChecks } from "./Operator.ts"
import { Routes } from "./Routes.ts"
import { LocalServices } from "./Services.ts"
import { StartBanner } from "./StartBanner.ts"

export { WithoutDatabase } from "./Services.ts"

// This room composes the server from the other rooms: routes over services over infrastructure. `main.ts` runs it; a
// program that embeds the server takes `Routes` and `Services` from `index.ts` instead.

type Provided =
  | AppConfig
  | DatabaseClock
  | DatabaseHosts
  | Layer.Success<typeof LocalServices>
  | Layer.Success<typeof OperatorServices>
  | SqlClient.SqlClient

type LoadWorkers<E> = () => Promise<Layer.Layer<never, E, ServerServices>>

/** Services that a layer beside the routes may use, when it is built and for each of its requests. */
type ServerServices =
  | HttpRouter.HttpRouter
  | HttpRouter.Request<"Error", HttpServerError.HttpServerError>
  | HttpRouter.Request<"Requires", HttpServerRequest.HttpServerRequest | Provided>
  | Provided

type Answer = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError,
  HttpServerRequest.HttpServerRequest | Scope.Scope | Provided
>

/** Scope of the workers: it opens before `Drain` and closes after it, although they start later. */
class WorkersScope extends Context.Service<WorkersScope, Scope.Closeable>()("slotkey/app/Server/WorkersScope") {
  static readonly layer = Layer.effect(this, Effect.acquireRelease(Scope.make(), Scope.close))
}

/**
 * An embedded server does the jobs, too. Its workers come once it listens, and only after a moment for those who wait
 * for its first answer, because to load them is a tenth of its start. A person who asks for their dashboard before that
 * waits for them.
 */
const withWorkers = Effect.fnUntraced(function*<E>(loadWorkers: LoadWorkers<E>) {
  const dashboard = yield* Deferred.make<Answer>()
  const open = Effect.flatMap(Effect.promise(loadWorkers), HttpRouter.toHttpEffect).pipe(Effect.delay("200 millis"))
  return {
    routes: Layer.merge(Routes, HttpRouter.add("*", "/queues/*", Effect.flatten(Deferred.await(dashboard)))),
    workers: Layer.effectDiscard(Effect.gen(function*() {
      const answer = yield* Scope.provide(open, yield* WorkersScope)
      yield* Deferred.succeed(dashboard, answer)
    }))
  }
})

/** HTTP server that limits and counts what is in work, with the limits of the settings. */
const createServer = Effect.fnUntraced(function*(metrics: RequestMetrics.RequestMetrics) {
  const config = yield* AppConfig
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const server = AdmissionControl.make({
    metrics,
    ...(config.trustedProxies === 0 ? { onForwarded: () => void run(unknownProxy) } : {}),
    slots: 128,
    timeout: 30,
    tokenTimeout: Duration.toMillis(config.tokenTimeout),
    requestTimeout: Duration.toMillis(config.requestTimeout),
    headers: securityHeaders(config),
    publicPath: publicPathOf(config),
    brands: yield* Brands
  })
  if (config.accessLog === "on") AccessLog.keepAddresses(server)
  return server
})

const unknownProxy = Effect.logWarning(
  "A request came with X-Forwarded-For, and TRUSTED_PROXIES is 0. Behind a proxy all callers now share one address: one who " +
    "guesses passwords or secrets locks out the others. Set TRUSTED_PROXIES to the number of your proxies; without any, " +
    "the caller wrote the header."
)

const http = (metrics: RequestMetrics.RequestMetrics) =>
  Layer.unwrap(
    Effect.gen(function*() {
      const config = yield* AppConfig
      const server = yield* createServer(metrics)
      return Layer.merge(
        Layer.succeed(ListeningServer, server),
        NodeHttpServer.layer(() => server, {
          host: config.host,
          port: config.port,
          // Room for a burst of new connections; Node's default is 511.
          backlog: 4096,
          // `Drain` has closed all connections by then; nothing is to be waited for where a start failed.
          gracefulShutdownTimeout: "5 seconds"
        })
      )
    })
  )

/**
 * Serves routes. Listens once all of them are in place: a request that came earlier would never be answered.
 */
export const listening = <E, R>(routes: Layer.Layer<never, E, R>) =>
  Layer.unwrap(Effect.gen(function*() {
    const templates = new RouteTemplates()
    const handler = yield* HttpRouter.toHttpEffect(Layer.provide(routes, templates.layer))
    const metrics = yield* AccessLog.around(yield* RequestMetrics.make(templates), templates)
    return Layer.provideMerge(Layer.effectDiscard(inFlatContext(HttpServer.serveEffect(handler))), http(metrics))
  }))

/**
 * Runs the effect with all its services in one table. A context keeps its latest eight additions apart and is copied as
 * a whole at the next: what layers have added would leave no room for those of a request, and each would copy all
 * services.
 */
const inFlatContext = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, (services: Context.Context<R>) => Context.omit()(services))

/**
 * Server over its database. An embedded server does its jobs itself: `loadWorkers` is asked for them once it listens,
 * and only there, for they would be a tenth of the memory of a server that runs none.
 */
export const server = <E>(loadWorkers: LoadWorkers<E>) =>
  Layer.unwrap(Effect.gen(function*() {
    const { database } = yield* AppConfig
    const { routes, workers } = database._tag === "Server"
      ? { routes: Routes, workers: Layer.empty }
      : yield* withWorkers(loadWorkers)
    const operator = Option.isSome(GroupMember.number)
      ? GroupMember.operator(ServerChecks)
      : OperatorPort.layer("OPERATOR_PORT", ServerChecks)
    return (GroupMember.announces ? StartBanner : Layer.empty).pipe(
      Layer.provide(workers),
      // Ready before the workers are there: a server is asked for its health, and may get the signal to stop, while
      // they load.
      Layer.provide(Drain),
      // Shows that the server drains, so it is closed after it.
      Layer.provide(operator),
      Layer.provide(WorkersScope.layer),
      Layer.provide(listening(routes))
    )
  })).pipe(
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(LocalServices),
    Layer.provide(OperatorServices),
    Layer.provide(Tracing.layer("slotkey"))
  )
