import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { once } from "node:events"
import type { Socket } from "node:net"
import { Network } from "../../../src/foundation/outbound/Network.ts"
import { fetchPublic } from "../../../src/foundation/outbound/PublicHttps.ts"
import * as Host from "../../support/PictureHost.ts"

const limit = 1024 * 1024
const url = "https://pictures.example/logo"
const refusal = (address: string) =>
  Effect.map(Effect.flip(fetchPublic(address, limit)), ({ reason }) => reason.message)

layer(Host.layer)("fetchPublic", (it) => {
  it.effect("reads the bytes at an address, from the host that was resolved", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/logo?size=1", Buffer.from("bytes"))
      host.name("pictures.example", [Host.publicAddress, "8.8.8.8"])
      assert.strictEqual(Buffer.from(yield* fetchPublic(`${url}?size=1`, limit)).toString(), "bytes")
      assert.deepStrictEqual(host.connections(), [Host.publicAddress, "8.8.8.8"])
      assert.deepStrictEqual(host.requests(), ["pictures.example/logo?size=1"])
    }))

  it.effect("connects to no address that is not public, whatever names it", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/logo", Buffer.from("secret"))
      host.name("private.example", ["10.0.0.1"])
      host.name("mapped.example", ["::ffff:127.0.0.1"])
      host.name("mixed.example", [Host.publicAddress, "169.254.169.254"])
      host.name("unknown.example", [])
      host.name("127.0.0.1", ["127.0.0.1"])
      host.name("::1", ["::1"])
      host.name("::ffff:7f00:1", ["::ffff:7f00:1"])
      for (
        const name of [
          "private.example",
          "mapped.example",
          "mixed.example",
          "unknown.example",
          "127.0.0.1",
          "0x7f.1",
          "[::1]",
          "[::ffff:127.0.0.1]"
        ]
      ) assert.match(yield* refusal(`https://${name}/logo`), /is not on the public internet$/, name)
      assert.isEmpty(host.connections())
      assert.isEmpty(host.requests())
    }))

  it.effect("resolves a name once, so that a second answer of the DNS has no effect", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/logo", Buffer.from("bytes"))
      host.name("pictures.example", [Host.publicAddress], ["127.0.0.1"])
      yield* fetchPublic(url, limit)
      assert.deepStrictEqual(host.connections(), [Host.publicAddress])
      host.requests()
      assert.match(yield* refusal(url), /is not on the public internet$/)
      assert.isEmpty(host.requests())
      host.name("pictures.example", [Host.publicAddress])
    }))

  it.effect("follows a few redirects, each under the same rules", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const redirect = (location: string) =>
        host.serve("/moved", (_, response) => response.writeHead(302, { location }).end())
      host.serve("/logo", Buffer.from("bytes"))
      redirect("https://other.example/logo")
      assert.strictEqual(Buffer.from(yield* fetchPublic("https://pictures.example/moved", limit)).toString(), "bytes")
      assert.deepStrictEqual(host.requests(), ["pictures.example/moved", "other.example/logo"])
      host.name("private.example", ["192.168.0.1"])
      for (
        const [location, reason] of [
          ["https://private.example/logo", /is not on the public internet$/],
          ["https://[::ffff:127.0.0.1]/", /is not on the public internet$/],
          ["http://pictures.example/logo", /https address without a port$/],
          ["https://pictures.example:8443/logo", /https address without a port$/],
          ["file:///etc/passwd", /https address without a port$/],
          ["/moved", /more than 3 redirects$/]
        ] as const
      ) {
        redirect(location)
        host.name("::ffff:7f00:1", ["::ffff:7f00:1"])
        assert.match(yield* refusal("https://pictures.example/moved"), reason, location)
      }
      host.connections()
      assert.lengthOf(host.requests(), 6 + 3)
    }))

  it.effect("asks nothing but https on its own port", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      for (
        const address of [
          "http://pictures.example/logo",
          "https://pictures.example:22/",
          "ftp://pictures.example/",
          "x"
        ]
      ) {
        assert.match(yield* refusal(address), /https address without a port$/, address)
      }
      assert.isEmpty(host.connections())
    }))

  it.effect("takes no certificate of another name, no other status and no end that comes early", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/logo", Buffer.from("bytes"))
      assert.match(yield* refusal("https://impostor.example/logo"), /impostor.example does not answer over https/)
      assert.match(yield* refusal("https://pictures.example/none"), /pictures.example answers with status 404$/)
      host.serve("/early", (_, response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("half", () => response.destroy())
      })
      assert.match(yield* refusal("https://pictures.example/early"), /does not answer over https/)
    }))

  it.effect("stops reading where the limit of the size is", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      let sent = 0
      host.serve("/endless", (_, response) => {
        const chunk = Buffer.alloc(64 * 1024)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
        }
        response.writeHead(200)
        response.on("drain", more)
        more()
      })
      assert.strictEqual(yield* refusal("https://pictures.example/endless"), "is larger than 1 MB")
      // What the buffers of both sockets hold goes on for a moment.
      assert.isBelow(sent, 32 * limit)
      host.serve("/full", Buffer.alloc(limit))
      assert.strictEqual((yield* fetchPublic("https://pictures.example/full", limit)).length, limit)
    }))

  it.effect("closes the connection of a request that is given up", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const asked = Promise.withResolvers<Socket>()
      host.serve("/silent", ({ socket }) => asked.resolve(socket))
      const waiting = yield* Effect.forkChild(fetchPublic("https://pictures.example/silent", limit))
      const socket = yield* Effect.promise(() => asked.promise)
      const closed = once(socket, "close")
      yield* Fiber.interrupt(waiting)
      yield* Effect.promise(() => closed)
    }))
})

layer(Layer.empty)("The network of a server", (it) => {
  it.effect("connects to the address that was resolved, and asks nobody for the name again", () =>
    Effect.gen(function*() {
      const { connect, resolve } = yield* Network
      assert.deepStrictEqual(yield* Effect.promise(() => resolve("127.0.0.1")), ["127.0.0.1"])
      // Nobody listens there.
      const socket = connect("pictures.invalid", ["127.0.0.83"])
      const [error] = yield* Effect.promise(() => once(socket, "error").catch((error: unknown) => [error]))
      assert.include(String(error), "127.0.0.83:443")
    }))
})
