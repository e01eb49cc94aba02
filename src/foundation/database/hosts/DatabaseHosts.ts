import { Array, Context, Effect, Latch, Layer, Option, type Redacted } from "effect"
import type { Socket } from "node:net"
import type { ConnectionOptions } from "node:tls"
import type { DatabaseAddress, DatabaseHost } from "../../config/DatabaseAddress.ts"
import { ask, type HostState } from "./HostState.ts"
import * as Sockets from "./Sockets.ts"
import * as WaitingCommits from "./WaitingCommits.ts"

/**
 * The one host that both drivers connect to: the primary, or while there is none, a standby that can at least be read.
 * It is chosen again when a connection was lost or a write refused, and every two seconds; connections to the other
 * hosts are cut then. A database with one host is never asked.
 */
export class DatabaseHosts extends Context.Service<DatabaseHosts, {
  /** Address with the chosen host alone, for a connection that is opened now. */
  readonly url: () => Redacted.Redacted
  /** A socket to the chosen host, for a connection that is opened now. */
  readonly socket: () => Socket
  /** Asks the hosts again at once. */
  readonly reconsider: () => void
  /** What is known of the commits at the chosen host. */
  readonly commits: WaitingCommits.WaitingCommits
}>()("slotkey/foundation/database/hosts/DatabaseHosts") {
  /** A choice among these, which are asked by TLS with these options, if by TLS. */
  static readonly layer = (hosts: DatabaseAddress, ssl?: ConnectionOptions): Layer.Layer<DatabaseHosts> =>
    Layer.effect(DatabaseHosts, hosts.length === 1 ? only(hosts[0], ssl) : choosing(hosts, ssl))
}

const only = (host: DatabaseHost, ssl: ConnectionOptions | undefined) =>
  Effect.map(WaitingCommits.make(() => host, ssl), (commits) =>
    DatabaseHosts.of({
      url: () => host.url,
      socket: Sockets.make(() => host.socket),
      reconsider: () => {},
      commits
    }))

const choosing = Effect.fnUntraced(function*(hosts: DatabaseAddress, ssl: ConnectionOptions | undefined) {
  let chosen: Choice = { host: hosts[0], isWritable: false, doubts: 0 }
  const sockets = new Map<Socket, DatabaseHost>()
  const doubt = yield* Latch.make()

  const open = Sockets.make(() => chosen.host.socket)
  const socket = () => {
    const { host } = chosen
    const socket = open()
    sockets.set(socket, host)
    socket.once("close", () => sockets.delete(socket))
    // The host closed the connection, or never took it.
    socket.once("end", reconsider)
    socket.once("error", reconsider)
    return socket
  }

  const reconsider = () => {
    doubt.openUnsafe()
  }

  const choose = Effect.gen(function*() {
    const answers = yield* Effect.forEach(
      hosts,
      (host) => Effect.map(ask(host, ssl), (state) => ({ host, state })),
      { concurrency: "unbounded" }
    )
    return choice(chosen, answers)
  })

  const follow = Effect.fnUntraced(function*(next: Choice) {
    const before = chosen
    chosen = next
    const { host, isWritable } = next
    if (host === before.host && isWritable === before.isWritable) return
    for (const [socket, other] of sockets) {
      if (other !== host) socket.destroy(new Error(`The database is used on ${host.name} now`))
    }
    yield* Effect.logWarning("The database is used on this host from now on").pipe(
      Effect.annotateLogs({ host: host.name, writable: isWritable })
    )
  })

  chosen = yield* choose
  const reconsidering = Effect.gen(function*() {
    yield* Effect.timeoutOption(doubt.await, chosen.isWritable ? "2 seconds" : "250 millis")
    yield* doubt.close
    yield* follow(yield* choose)
  }).pipe(
    Effect.catchCause((cause) => Effect.logError("The hosts of the database could not be asked", cause)),
    // Connections are lost in bursts, for which asking once is enough.
    Effect.andThen(Effect.sleep("100 millis"))
  )
  yield* Effect.forkScoped(Effect.forever(reconsidering))

  const commits = yield* WaitingCommits.make(() => chosen.host, ssl)
  return DatabaseHosts.of({ url: () => chosen.host.url, socket, reconsider, commits })
})

interface Choice {
  readonly host: DatabaseHost
  readonly isWritable: boolean
  /** Number of times in a row that the host was silent when asked. */
  readonly doubts: number
}

interface Answer {
  readonly host: DatabaseHost
  readonly state: HostState
}

/**
 * Chooses the writable host; of two, the one that was promoted last, because the other is an old primary that came back
 * and was not fenced. Without any, the host stays as long as it may still be the primary.
 */
export const choice = (before: Choice, answers: ReadonlyArray<Answer>): Choice => {
  const timeline = Math.max(...answers.map(({ state }) => state._tag === "Writable" ? state.timeline : -1))
  const among = (fits: (state: HostState) => boolean) => {
    const fitting = answers.filter(({ state }) => fits(state)).map(({ host }) => host)
    return fitting.includes(before.host) ? Option.some(before.host) : Array.head(fitting)
  }
  const writable = among((state) => state._tag === "Writable" && state.timeline === timeline)
  if (Option.isSome(writable)) return { host: writable.value, isWritable: true, doubts: 0 }

  const own = answers.find(({ host }) => host === before.host)?.state._tag
  if (own === "Full") return before
  const doubts = own === "Silent" ? before.doubts + 1 : 0
  if (own === "Silent" && doubts < 2) return { ...before, doubts }
  const readable = among((state) => state._tag === "Readable")
  return { host: Option.getOrElse(readable, () => before.host), isWritable: false, doubts }
}
