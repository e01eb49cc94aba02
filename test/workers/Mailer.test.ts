// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { type Mail, Mailer } from "../../workers/Mailer.ts"
import { eventually } from "../support/Eventually.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const mail: Mail = {
  id: "outbox-1 olive",
  to: { name: "Olive", address: "olive@example.test" },
  subject: "Your app was approved",
  text: "Hello Olive,\n"
}

it.effect("Mailer keeps a mail as one file without a mail server, however often it is sent", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    yield* Effect.gen(function*() {
      const mailer = yield* Mailer
      yield* mailer.send(mail)
      yield* mailer.send(mail)
      yield* mailer.send({ ...mail, id: "outbox-2 olive" })
    }).pipe(Effect.provide(Mailer.layer.pipe(Layer.provide(AppConfig.layerTest({ DATA_DIR: folder })))))
    const mails = join(folder, "mail")
    const files = readdirSync(mails)
    assert.lengthOf(files, 2)
    assert.include(readFileSync(join(mails, files[0] ?? ""), "utf8"), "To: Olive <olive@example.test>")
    assert.strictEqual(statSync(mails).mode & 0o077, 0, "others may not read the mails")
  }))

const stages: ReadonlyArray<string> = ["connection", "EHLO", "MAIL", "RCPT", "DATA", "."]

describe("Mailer gives up in MAIL_TIMEOUT", () => {
  const cases = stages.flatMap((stage) => (["is silent", "dawdles"] as const).map((manner) => ({ stage, manner })))

  it.live.each(cases)("when the server $manner at $stage", ({ manner, stage }) =>
    Effect.gen(function*() {
      const server = yield* faltering(stage, manner)
      const failure = yield* Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(
        Effect.flip,
        Effect.provide(Mailer.layer.pipe(
          Layer.provide(AppConfig.layerTest({ SMTP_URL: server.url, MAIL_TIMEOUT: "1 second" }))
        ))
      )
      assert.isFalse(failure.final, "the mail is tried again")
      yield* eventually(Effect.sync(() => server.open() === 0))
    }), 20_000)
})

/** A mail server that answers until it comes to a stage, where it says nothing more, or says nothing to the point. */
const faltering = Effect.fnUntraced(function*(stage: string, manner: "is silent" | "dawdles") {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isMessage = false
    const reach = (name: string, answer: string) => {
      if (name !== stage) return socket.write(answer)
      if (manner === "is silent") return
      const timer = setInterval(() => socket.write(`${answer.slice(0, 3)}-wait\r\n`), 100)
      socket.on("close", () => clearInterval(timer))
    }
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    reach("connection", "220 ready\r\n")
    createInterface(socket).on("line", (line) => {
      const verb = line.slice(0, 4).trim()
      if (isMessage ? line !== "." : !stages.includes(verb)) return
      isMessage = verb === "DATA"
      reach(verb, verb === "DATA" ? "354 go on\r\n" : "250 fine\r\n")
    })
  })
  server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("no port"))
  return { url: `smtp://127.0.0.1:${address.port}`, open: () => sockets.size }
})
