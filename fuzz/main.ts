// @effect-diagnostics strictEffectProvide:off
import { NodeRuntime } from "@effect/platform-node"
import { Clock, Console, Effect, Layer, Random, Schema } from "effect"
import { HttpServer } from "effect/http"
import { english, Languages } from "../src/foundation/messages/Languages.ts"
import * as Live from "../test/support/LiveServer.ts"
import * as PictureHost from "../test/support/PictureHost.ts"
import { pseudoLanguage } from "../test/support/PseudoLanguage.ts"
import { registeredRoutes } from "../test/support/Routes.ts"
import type { Answer, Attempt } from "./Attempt.ts"
import { type Dice, dice } from "./Dice.ts"
import { Findings } from "./Findings.ts"
import { Log } from "./Log.ts"
import * as Options from "./Options.ts"
import { violations } from "./Rules.ts"
import * as Sender from "./Sender.ts"
import * as State from "./State.ts"
import type { Target } from "./Target.ts"
import * as Bytes from "./targets/Bytes.ts"
import * as Forms from "./targets/Forms.ts"
import * as Operations from "./targets/Operations.ts"
import * as Registrations from "./targets/Registrations.ts"
import * as ResourceChecks from "./targets/ResourceChecks.ts"
import * as World from "./World.ts"

/** The run broke a rule, or did not reach what it is for. */
class FuzzFailed extends Schema.TaggedError<FuzzFailed>()("FuzzFailed", { message: Schema.String }) {}

// A budget that is used up would answer what is meant to be reached, and an endpoint that is off is not.
const settings = {
  ACCOUNT_BUDGET: "1000000",
  ADDRESS_BUDGET: "1000000",
  DYNAMIC_REGISTRATION: "open",
  REGISTRATION_BUDGET: "100000"
}

/**
 * Sends requests that are nearly right to the whole server for some time, one after the other, and holds each answer to
 * the rules of `Rules.ts`.
 */
const fuzz = Effect.fnUntraced(function*({ only, seconds, seed }: Options.Options, log: Log) {
  const port = Number(new URL((yield* Live.LiveServer).url).port)
  const { serve } = yield* PictureHost.PictureHost
  serve("/logo.png", yield* Effect.promise(() => PictureHost.picture("red")))
  const routes = yield* registeredRoutes
  const findings = new Findings()
  const state = yield* State.make
  const random = yield* dice
  let world = yield* World.make

  /** Sends a request and holds its answer to the rules. */
  const attempt = Effect.fnUntraced(function*(attempt: Attempt) {
    log.take()
    const before = yield* state
    const busyBefore = process.cpuUsage()
    const answer = yield* Sender.send(port, attempt).pipe(
      Effect.tapError(({ message }) => Effect.sync(() => findings.broken(attempt, `gets no answer: ${message}`))),
      Effect.orElseSucceed(() => undefined)
    )
    if (answer === undefined) return undefined
    const busy = process.cpuUsage(busyBefore)
    const after = yield* state
    findings.count(attempt, answer.status, !asksToSignIn(answer))
    // The server works in this process. A second of its time is one on any machine, whatever else that does.
    if (busy.user + busy.system > 1_000_000) findings.broken(attempt, "takes more than a second of the processor")
    for (const violation of violations({ attempt, answer, before, after, log: log.take(), secrets: world.secrets })) {
      findings.broken(attempt, violation)
    }
    return answer
  }, Effect.orDie)

  const targets = [
    Forms.target(routes, findings),
    ...Operations.targets,
    ...Registrations.targets,
    ...ResourceChecks.targets,
    Bytes.target(port, findings)
  ]
    .filter(({ name }) => name.includes(only))
  const began = yield* Clock.currentTimeMillis
  const missed = () => only === "" ? findings.missed(routes) : []
  for (let turn = 0;; turn++) {
    const spent = ((yield* Clock.currentTimeMillis) - began) / 1_000
    if (spent >= seconds && (turn >= enough || missed().length === 0)) break
    // What was done stays done: apps are deleted, and sessions end.
    if (turn % 50 === 49) {
      yield* attempt(Forms.signOut(world.developer))
      world = yield* World.make
    }
    const target = nextTarget(targets, turn, random)
    if (target !== undefined) yield* target.turn(attempt, world, random)
  }

  yield* Console.log(findings.table)
  yield* Console.log(
    `\n${findings.sent} requests, seed ${seed}; ${Math.round(findings.signedInShare * 100)} % of those from ` +
      `signed-in browsers were still signed in`
  )
  const problems = [
    ...findings.violations,
    ...missed().map((route) => `no request reached ${route}`),
    ...(findings.signedInShare < 0.9 ? ["too many requests came from browsers that were signed out"] : [])
  ]
  yield* Effect.forEach(problems, (problem) => Console.log(`FAILED: ${problem}`))
  if (problems.length > 0) return yield* new FuzzFailed({ message: `${problems.length} problems` })
})

/** Turns in which a run reaches every route, however many seconds they take. */
const enough = 3_000

// Half of the turns go to the pages, which take several requests each; the others to each operation in turn.
const nextTarget = (targets: ReadonlyArray<Target>, turn: number, random: Dice): Target | undefined =>
  random.chance(0.5) && targets[0]?.name === "forms" ? targets[0] : targets[turn % targets.length]

const asksToSignIn = ({ headers, status }: Answer): boolean =>
  status === 303 && headers["location"]?.includes("/sign-in") === true

const program = Effect.suspend(() => {
  const log = new Log()
  const options = Options.read()
  return Console.log(`seed ${options.seed}, ${options.seconds} seconds`).pipe(
    Effect.andThen(fuzz(options, log)),
    Effect.provide(
      Live.layer(settings).pipe(
        // A footer has its form where there is a choice.
        Layer.provide(Layer.succeed(Languages, [english, pseudoLanguage("en-XA")])),
        // No request leaves this machine for a logo.
        Layer.provideMerge(PictureHost.layer),
        Layer.provideMerge(HttpServer.layerServices),
        Layer.provideMerge(log.layer)
      )
    ),
    Random.withSeed(options.seed),
    Effect.scoped
  )
})

program.pipe(NodeRuntime.runMain)
