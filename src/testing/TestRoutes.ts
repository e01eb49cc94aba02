import { Context, Duration, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { Routes } from "../app/Routes.ts"
import { pathOf } from "../foundation/http/Envelope.ts"
import { type Answer, answers } from "./Serve.ts"

/**
 * Routes of a test server, for requests without a port and for those that come to the port of `slotkey test-server`.
 */
export class TestRoutes extends Context.Service<TestRoutes, {
  readonly answer: Answer
  /** Context of the routes, with the clock of the test. */
  readonly context: Context.Context<never>
  whileTokensTake<A, E, R>(duration: Duration.Input, test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}>()("slotkey/testing/TestRoutes") {
  static readonly layer = Layer.effect(
    TestRoutes,
    Effect.gen(function*() {
      let tokenDelay = Duration.zero

      const delayed = HttpRouter.middleware(
        (answer) =>
          Effect.flatMap(
            HttpServerRequest.HttpServerRequest,
            (request) => pathOf(request) === "/v2/auth/oauth2/token" ? Effect.delay(answer, tokenDelay) : answer
          ),
        { global: true }
      )

      const whileTokensTake = <A, E, R>(duration: Duration.Input, test: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            tokenDelay = Duration.fromInputUnsafe(duration)
          }),
          () => test,
          () =>
            Effect.sync(() => {
              tokenDelay = Duration.zero
            })
        )

      const answer = yield* answers(Layer.merge(Routes, delayed).pipe(Layer.provide(HttpServer.layerServices)))
      return TestRoutes.of({ answer, context: yield* Effect.context<never>(), whileTokensTake })
    })
  )
}
