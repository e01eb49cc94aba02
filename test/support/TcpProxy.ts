import { Duration, Effect, type Scope } from "effect"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy before one server that can lose what its connections carry. */
export interface TcpProxy {
  readonly port: number
  /** Connections that are open now. */
  readonly connections: Effect.Effect<number>
  /**
   * Forwards nothing more on the open connections, and closes none: as a firewall that forgot them. New ones work.
   * Waits first until those that are being opened are open: a client waits longer for a connection than for a
   * statement.
   */
  readonly silence: Effect.Effect<void>
  /**
   * Loses only what the server answers on the open connections, after the same wait. Requests still arrive there. New
   * ones work.
   */
  readonly loseAnswers: Effect.Effect<void>
  /** Resets the open connections on both sides, the silent ones as well. New ones work. */
  readonly cut: Effect.Effect<void>
  /** Holds everything back for this long from now on, each way, in order. */
  readonly delay: (by: Duration.Input) => Effect.Effect<void>
  /** Port of the server that new connections lead to from now on. */
  readonly lead: (to: number) => Effect.Effect<void>
}

interface Connection {
  readonly client: Socket
  readonly server: Socket
  /** Ends with the first answer, or with the connection. */
  readonly opened: Promise<unknown>
  requests: boolean
  answers: boolean
}

/** A proxy that leads to a port of this computer until the scope closes. */
export const make = (to: number): Effect.Effect<TcpProxy, never, Scope.Scope> =>
  Effect.gen(function*() {
    const connections = new Set<Connection>()
    let target = to
    let delay = 0

    const listener = createServer({ allowHalfOpen: true }, (client) => {
      const server = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true })
      const opened = new Promise((resolve) => server.once("data", resolve).once("close", resolve))
      const connection: Connection = { client, server, opened, requests: true, answers: true }
      connections.add(connection)
      forward(client, server, () => connection.requests)
      forward(server, client, () => connection.answers)
    })

    const forward = (from: Socket, into: Socket, passes: () => boolean) => {
      const later = (act: () => void) => {
        const held = () => {
          if (passes()) act()
        }
        if (delay === 0) held()
        else setTimeout(held, delay)
      }
      from.setNoDelay(true)
      from.on("data", (chunk: Buffer) => later(() => into.write(chunk)))
      from.on("end", () => later(() => into.end()))
      from.on("error", () => later(() => into.resetAndDestroy()))
      from.on("close", () => {
        for (const connection of connections) {
          if (connection.client.destroyed && connection.server.destroyed) connections.delete(connection)
        }
      })
    }

    const each = (act: (connection: Connection) => void) => Effect.sync(() => connections.forEach(act))
    const eachOnceOpen = (act: (connection: Connection) => void) =>
      Effect.andThen(Effect.promise(() => Promise.all([...connections].map(({ opened }) => opened))), each(act))
    const cut = each(({ client, server }) => {
      client.resetAndDestroy()
      server.resetAndDestroy()
    })

    listener.listen(0, "127.0.0.1")
    yield* Effect.promise(() => once(listener, "listening"))
    yield* Effect.addFinalizer(() => Effect.andThen(cut, Effect.sync(() => listener.close())))
    const address = listener.address()
    if (address === null || typeof address === "string") return yield* Effect.die(new Error("no port"))
    return {
      port: address.port,
      connections: Effect.sync(() => connections.size),
      silence: eachOnceOpen((connection) => {
        connection.requests = false
        connection.answers = false
      }),
      loseAnswers: eachOnceOpen((connection) => {
        connection.answers = false
      }),
      cut,
      delay: (by) => Effect.sync(() => delay = Duration.toMillis(by)),
      lead: (to) => Effect.sync(() => target = to)
    }
  })
