import { Effect, Schema } from "effect"
import { maxHeaderSize, request } from "node:http"
import { connect } from "node:net"
import type { Answer, Attempt } from "./Attempt.ts"

/** The server hung up, or did not answer in time. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", { message: Schema.String }) {}

/** Sends one request on a connection of its own; fails if there is no answer. */
export const send = (port: number, { body, headers, method, path }: Attempt): Effect.Effect<Answer, NoAnswer> =>
  Effect.callback<Answer, NoAnswer>((resume) => {
    const fail = (error: Error) => resume(Effect.fail(new NoAnswer({ message: error.message })))
    const options = { host: "127.0.0.1", port, method, path, headers, agent: false, timeout, maxHeaderSize: maxAnswer }
    const outgoing = request(options, (incoming) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("error", fail)
      incoming.on("end", () =>
        resume(Effect.succeed({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
          ),
          cookies: incoming.headers["set-cookie"]?.map((cookie) => cookie.replace(/;.*/, "")) ?? [],
          text: Buffer.concat(chunks).toString()
        })))
    })
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer for ${timeout} ms`)))
    outgoing.on("error", (error) => {
      // Node answers 431 to a head that is too large and closes; the rest of it then resets the connection, answer and
      // all.
      if (path.length + JSON.stringify(headers).length < maxHeaderSize) return fail(error)
      resume(Effect.succeed({ status: 431, headers: {}, cookies: [], text: "" }))
    })
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

/** Sends bytes that need not be HTTP; answers what comes back until the server is silent or hangs up. */
export const sendBytes = (port: number, bytes: Buffer): Effect.Effect<Answer> =>
  Effect.callback<Answer>((resume) => {
    let text = ""
    const finish = () => {
      socket.destroy()
      resume(Effect.succeed({ status: statusOf(text), headers: {}, cookies: [], text }))
    }
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    // Half a request is waited for, so silence is an answer here.
    socket.setTimeout(quiet, finish)
    socket.on("data", (chunk) => text += chunk.toString("latin1"))
    socket.on("error", finish)
    socket.on("close", finish)
    return Effect.sync(() => socket.destroy())
  })

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)

/** A redirect to the sign-in repeats the whole address, escaped once more; browsers take heads of 256 KiB. */
const maxAnswer = 16 * maxHeaderSize

/** Milliseconds. */
const timeout = 30_000
const quiet = 50
