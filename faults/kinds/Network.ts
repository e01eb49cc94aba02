import { Effect } from "effect"
import type { TcpProxy } from "../../test/support/TcpProxy.ts"
import type { Fault } from "../Fault.ts"
import type { World } from "../world/World.ts"

// What happens between processes: connections that fall silent, lose answers, are late or are cut.

const ofNodes = ({ nodes }: World, act: (proxy: TcpProxy) => Effect.Effect<void>) =>
  Effect.forEach(nodes, ({ database }) => act(database), { discard: true })

// A code is exchanged once only, so that its lost answers are rare.
const exchanges = { newcomers: 12 }

export const network: ReadonlyArray<Fault> = [
  {
    name: "silent-postgres",
    what: "a server's connections to PostgreSQL fall silent",
    lasts: [12, 30],
    recovers: { from: "beginning", clients: 10, notices: 15 },
    inflict: ({ nodes }, seconds) => Effect.andThen(nodes[0].database.silence, Effect.sleep(seconds * 1000))
  },
  {
    name: "silent-postgres-worker",
    what: "the worker's connections to PostgreSQL fall silent",
    lasts: [16, 40],
    recovers: { from: "beginning", clients: 10, notices: 15 },
    inflict: ({ worker }, seconds) => Effect.andThen(worker.database.silence, Effect.sleep(seconds * 1000))
  },
  {
    name: "silent-redis",
    what: "the worker's connections to Redis fall silent",
    lasts: [16, 40],
    recovers: { from: "beginning", clients: 10, notices: 15 },
    inflict: ({ worker }, seconds) => Effect.andThen(worker.redis.silence, Effect.sleep(seconds * 1000))
  },
  {
    name: "slow-postgres",
    what: "each message from and to PostgreSQL takes 250 ms",
    lasts: [5, 30],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.gen(function*() {
        const all = [...world.nodes.map(({ database }) => database), world.worker.database]
        yield* Effect.forEach(all, (proxy) => proxy.delay("250 millis"))
        yield* Effect.sleep(seconds * 1000)
        yield* Effect.forEach(all, (proxy) => proxy.delay(0))
      })
  },
  {
    name: "cut-postgres",
    what: "all connections to PostgreSQL are reset, every second",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.repeat(
        Effect.andThen(
          ofNodes(world, ({ cut }) => cut),
          Effect.andThen(world.worker.database.cut, Effect.sleep("1 second"))
        ),
        { times: seconds }
      )
  },
  {
    name: "cut-redis",
    what: "the worker's connections to Redis are reset, every second",
    lasts: [4, 20],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: ({ worker }, seconds) =>
      Effect.repeat(Effect.andThen(worker.redis.cut, Effect.sleep("1 second")), { times: seconds })
  },
  {
    name: "lost-answers",
    what: "PostgreSQL commits, its answers are lost, the connections stay open",
    load: exchanges,
    lasts: [12, 40],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.repeat(
        Effect.andThen(ofNodes(world, ({ loseAnswers }) => loseAnswers), Effect.sleep("4 seconds")),
        { times: Math.ceil(seconds / 4) - 1 }
      )
  },
  {
    name: "cut-answers",
    what: "PostgreSQL commits, its answers are lost, the connections are reset 100 ms later",
    load: exchanges,
    lasts: [6, 30],
    recovers: { from: "end", clients: 10, notices: 15 },
    inflict: (world, seconds) =>
      Effect.repeat(
        Effect.gen(function*() {
          yield* ofNodes(world, ({ loseAnswers }) => loseAnswers)
          yield* Effect.sleep("100 millis")
          yield* ofNodes(world, ({ cut }) => cut)
          yield* Effect.sleep("1400 millis")
        }),
        { times: Math.ceil(seconds / 1.5) - 1 }
      )
  }
]
