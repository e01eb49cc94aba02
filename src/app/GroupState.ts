import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { Answer, PortClosed, type StopSignal, type Topic } from "./GroupMessages.ts"

/** Processes of a group that live, and what the primary can ask them. */
export class GroupState extends Context.Service<GroupState, {
  onStart(number: number, member: Member): void
  /** Notes that a process listens, and so serves. */
  onListening(number: number): void
  /** Takes what a process has sent. */
  onMessage(number: number, message: unknown): void
  /** Notes its end; answers whether it served. */
  onExit(number: number, member: Member): boolean
  readonly servingCount: number
  /** Asks all that serve; there is no answer of one that takes longer than a probe may. */
  ask(topic: Topic): Effect.Effect<ReadonlyArray<readonly [number, Option.Option<string>]>>
  /** Ends those whose event loop has stood still for half a minute, again and again. */
  readonly endHung: Effect.Effect<never>
  /** Stops all of them, so that none is started again. */
  stop(signal: StopSignal): void
  readonly stops: boolean
  kill(): void
  /** Waits until all of them have ended. */
  readonly ended: Effect.Effect<void>
}>()("slotkey/app/GroupState") {
  static readonly layer: Layer.Layer<GroupState> = Layer.sync(GroupState, () => {
    const members = new Map<number, Member>()
    const serving = new Set<number>()
    let stops = false
    const pending = new Map<number, { readonly member: Member; readonly take: (answer: string) => void }>()
    // Numbers of processes that have closed the port in a stop.
    const closed = new Set<number>()
    let asked = 0

    const askOne = (member: Member, ask: Topic, limit: Duration.Duration) =>
      Effect.callback<string>((resume) => {
        const id = ++asked
        pending.set(id, { member, take: (answer) => resume(Effect.succeed(answer)) })
        send(member, { ask, id })
        return Effect.sync(() => void pending.delete(id))
      }).pipe(Effect.timeoutOption(limit), Effect.map(Option.filter((answer) => answer !== gone)))

    const take = (id: number, answer: string) => {
      pending.get(id)?.take(answer)
      pending.delete(id)
    }

    // Processes that wait for it close their connections then.
    const tellIfAllClosed = () => {
      if (closed.size === 0 || ![...serving].every((number) => closed.has(number))) return
      for (const member of members.values()) send(member, { portClosed: true } satisfies typeof PortClosed.Type)
    }

    const each = <A>(f: (number: number, member: Member) => Effect.Effect<A>) =>
      Effect.suspend(() =>
        Effect.forEach(
          [...members].filter(([number]) => serving.has(number)).sort(([a], [b]) => a - b),
          ([number, member]) => f(number, member),
          { concurrency: "unbounded" }
        )
      )

    const endHung = each(Effect.fnUntraced(function*(number, member) {
      const answer = yield* askOne(member, "alive", hung)
      if (Option.isSome(answer) || members.get(number) !== member || stops) return
      yield* Effect.logError(`Server process ${number} does not answer, and is ended`, { process: String(number) })
      member.process.kill("SIGKILL")
    })).pipe(Effect.delay("10 seconds"), Effect.forever)

    return GroupState.of({
      onStart: (number, member) => void members.set(number, member),
      onListening: (number) => void serving.add(number),
      onMessage: (number, message) => {
        if (isPortClosed(message)) {
          closed.add(number)
          return tellIfAllClosed()
        }
        const found = decode(message)
        if (Option.isSome(found)) take(found.value.id, found.value.answer)
      },
      onExit: (number, member) => {
        members.delete(number)
        // Nobody waits any longer for what it was asked.
        for (const [id, { member: asked }] of pending) if (asked === member) take(id, gone)
        const served = serving.delete(number)
        // Another process may get this number.
        closed.delete(number)
        tellIfAllClosed()
        return served
      },
      get servingCount() {
        return serving.size
      },
      ask: (topic) =>
        Effect.map(
          each((number, member) =>
            Effect.map(
              askOne(member, topic, limit),
              (answer) => members.get(number) === member ? [[number, answer] as const] : []
            )
          ),
          (answers) => answers.flat()
        ),
      endHung,
      stop: (signal) => {
        stops = true
        for (const member of members.values()) send(member, { stop: signal })
      },
      get stops() {
        return stops
      },
      kill: () => members.forEach(({ process }) => process.kill("SIGKILL")),
      ended: Effect.suspend(() =>
        members.size === 0 ? Effect.void : Effect.callback<void>((resume) => {
          for (const member of members.values()) {
            // After the listener that takes it off the map.
            member.once("exit", () => members.size === 0 ? resume(Effect.void) : undefined)
          }
        })
      )
    })
  })
}

/** A process of the group, as far as its primary needs it: a `Worker` of `node:cluster`. */
interface Member {
  readonly process: { kill(signal: "SIGKILL"): unknown }
  isConnected(): boolean
  send(message: object, callback: () => void): unknown
  once(event: "exit", listener: () => void): unknown
}

/** Stands for the answer of a process that has ended; no real answer looks like it. */
const gone = "gone"

const isPortClosed = Schema.is(PortClosed)
const decode = Schema.decodeUnknownOption(Answer)

// One that has just ended gets nothing, which its `exit` tells.
const send = (member: Member, message: object) => member.isConnected() && member.send(message, () => {})

/** Longer than a check may take. */
const limit = Duration.seconds(4)
const hung = Duration.seconds(30)
