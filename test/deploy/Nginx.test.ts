import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { configuration } from "../../bench/Nginx.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import { answering, isAvailable, run, send } from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

/** A server that can fall silent, and the requests that wait for it then. */
const makeServer = Effect.acquireRelease(
  Effect.callback<{
    readonly port: number
    readonly fallSilent: () => void
    readonly waiting: () => number
    readonly answerAll: () => void
  }>((resume) => {
    const waiting = new Set<() => void>()
    let isSilent = false
    const server = createServer((socket) => {
      const answer = () => void socket.write("HTTP/1.1 204 No Content\r\n\r\n")
      socket.on("data", () => isSilent ? waiting.add(answer) : answer()).on("error", () => {})
      socket.on("close", () => waiting.delete(answer))
    })
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({
        port: (server.address() as AddressInfo).port,
        fallSilent: () => void (isSilent = true),
        waiting: () => waiting.size,
        answerAll: () => {
          isSilent = false
          for (const answer of waiting) answer()
          server.close()
        }
      })))
  }),
  ({ answerAll }) => Effect.sync(answerAll)
)

/** `deploy/nginx.conf`, which takes a header's word for the address of its peers here. */
const start = Effect.fnUntraced(function*(server: number) {
  const [folder, port] = [yield* temporaryFolder, yield* freePort]
  // The workers of an nginx that was started by root run as another user.
  chmodSync(folder, 0o777)
  const file = join(folder, "nginx.conf")
  const log = join(folder, "log")
  const peers = "set_real_ip_from 127.0.0.1; real_ip_header X-Test-Peer;"
  const shipped = configuration({ folder, port, servers: [server] })
  // Its own streams can be opened by their names in a container alone.
  writeFileSync(file, shipped.replace("server_tokens", `${peers} server_tokens`).replaceAll(/\/dev\/std\w+/g, log))
  yield* run("nginx", ["-c", file, "-e", log], folder)
  yield* answering(port)
  return port
})

describe.skipIf(!isAvailable("nginx"))("deploy/nginx.conf", () => {
  it.live.each([
    { of: "one address", peer: () => "198.51.100.1", other: "198.51.100.2" },
    { of: "one /48 of IPv6", peer: (n: number) => `2001:db8:1:${n.toString(16)}::1`, other: "2001:db8:2:1::1" }
  ])(
    "has a hundred requests of $of in work, and the next ones come again later",
    ({ other, peer }) =>
      Effect.gen(function*() {
        const server = yield* makeServer
        const port = yield* start(server.port)
        const ask = (address: string) => send(port, "/", { "x-test-peer": address })
        const begin = (address: string) => Effect.forkScoped(Effect.ignore(ask(address)))
        const areWaiting = (n: number) => eventually(Effect.sync(() => server.waiting() === n))
        server.fallSilent()
        for (let n = 0; n < 100; n++) yield* begin(peer(n))
        yield* areWaiting(100)
        assert.strictEqual((yield* ask(peer(100))).status, 429)
        yield* begin(other)
        // A gateway or a proxy of one's own has many callers.
        for (let n = 0; n < 101; n++) yield* begin("10.0.0.1")
        yield* areWaiting(202)
        server.answerAll()
        assert.strictEqual((yield* ask(peer(0))).status, 204)
      }).pipe(Effect.scoped)
  )
})
