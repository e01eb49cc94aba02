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
  from: "Slotkey <no-reply@localhost>",
  to: { name: "Olive", address: "olive@example.test" },
  subject: "Your app was approved",
  text: "Hello Olive,\n",
  html: "<p>Hello Olive,</p>"
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

describe("Mailer", () => {
  const zoe = { ...mail, to: { name: "Zoë", address: "zoë@exämple.test" } }

  it.live("does not send an address outside of ASCII to a server that takes none, and never tries again", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const url = yield* mailServer((_, answer, socket) => socket.write(answer), lines)
      const failure = yield* Effect.flip(sendTo(url, zoe))
      assert.isTrue(failure.final)
      assert.include(failure.message, "no address with characters outside of ASCII (SMTPUTF8)")
      assert.deepStrictEqual(lines.filter((line) => /[^ -~]|^MAIL/.test(line)), [])
    }))

  it.live("sends it to a server that takes them, which learns that there is one", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const url = yield* mailServer(
        (stage, answer, socket) => socket.write(stage === "EHLO" ? "250-fine\r\n250 SMTPUTF8\r\n" : answer),
        lines
      )
      yield* sendTo(url, zoe)
      assert.match(lines.find((line) => line.startsWith("MAIL")) ?? "", / SMTPUTF8\b/)
      assert.include(lines, "RCPT TO:<zoë@exämple.test>")
    }))

  it.live("needs no extension for a name and a domain outside of ASCII", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const url = yield* mailServer((_, answer, socket) => socket.write(answer), lines)
      yield* sendTo(url, { ...mail, to: { name: "Zoë", address: "zoe@exämple.test" } })
      assert.include(lines, "RCPT TO:<zoe@xn--exmple-cua.test>")
      assert.deepStrictEqual(lines.filter((line) => /[^ -~]/.test(line)), [])
    }))

  it.live.each([
    { baseUrl: "https://auth.example.com", greeting: "EHLO auth.example.com" },
    { baseUrl: "https://exämple.test:8443", greeting: "EHLO xn--exmple-cua.test" }
  ])("of a server at $baseUrl introduces itself by its host", ({ baseUrl, greeting }) =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const url = yield* mailServer((_, answer, socket) => socket.write(answer), lines)
      yield* sendTo(url, mail, { BASE_URL: baseUrl })
      assert.strictEqual(lines[0], greeting)
    }))

  it.live.each(["http://localhost:3000", "https://10.0.0.7", "http://[::1]:3000"])(
    "of a server at %s, whose host nobody can look up, does not",
    (baseUrl) =>
      Effect.gen(function*() {
        const lines: Array<string> = []
        const url = yield* mailServer((_, answer, socket) => socket.write(answer), lines)
        yield* sendTo(url, mail, { BASE_URL: baseUrl })
        assert.notInclude(lines[0], new URL(baseUrl).hostname)
      })
  )
})

describe("Mailer gives up in MAIL_TIMEOUT", () => {
  const cases = stages.flatMap((stage) => (["is silent", "dawdles"] as const).map((manner) => ({ stage, manner })))

  it.live.each(cases)("when the server $manner at $stage", ({ manner, stage }) =>
    Effect.gen(function*() {
      const server = yield* faltering(stage, manner)
      const failure = yield* Effect.flip(sendTo(server.url, mail, { MAIL_TIMEOUT: "1 second" }))
      assert.isFalse(failure.final, "the mail is tried again")
      yield* eventually(Effect.sync(() => server.open() === 0))
    }), 20_000)
})

describe("Mailer takes as final", () => {
  const final: ReadonlyArray<string> = [
    "550 no such user",
    "551 User not local",
    "553 mailbox name not allowed",
    "550 5.1.1 User unknown",
    "550 5.1.10 Recipient address has null MX",
    "550-5.2.1 The account that you tried to reach\r\n550 5.2.1 is disabled"
  ]

  it.live.each(final)("the answer to RCPT TO: %s", (reply) =>
    Effect.gen(function*() {
      assert.isTrue((yield* refusal("RCPT", reply)).final)
    }))
})

describe("Mailer has tried again", () => {
  const cases: ReadonlyArray<readonly [stage: string, reply: string]> = [
    ["MAIL", "550 5.7.1 Sender address rejected"],
    ["MAIL", "550 no such sender"],
    ["MAIL", "530 5.7.0 Must issue a STARTTLS command first"],
    ["RCPT", "530 5.7.0 Authentication required"],
    ["RCPT", "550 5.7.1 Relaying denied"],
    ["RCPT", "550 5.1.0 Sender address rejected: User unknown"],
    ["RCPT", "550 5.1.8 Sender address rejected: Domain not found"],
    ["RCPT", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    ["RCPT", "552 5.2.2 Mailbox full"],
    ["RCPT", "554 5.7.1 Client host rejected"],
    ["RCPT", "451 4.1.1 try again later"],
    ["DATA", "550 5.1.1 User unknown"],
    [".", "554 5.7.1 Looks like spam"]
  ]

  it.live.each(cases)("what is refused at %s with: %s", ([stage, reply]) =>
    Effect.gen(function*() {
      assert.isFalse((yield* refusal(stage, reply)).final)
    }))
})

const sendTo = (url: string, mail: Mail, env: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(
    Effect.provide(Mailer.layer.pipe(Layer.provide(AppConfig.layerTest({ SMTP_URL: url, ...env }))))
  )

/** Failure of a mail to a server that answers this at a stage. */
const refusal = Effect.fnUntraced(function*(stage: string, reply: string) {
  const url = yield* mailServer((name, answer, socket) => socket.write(name === stage ? `${reply}\r\n` : answer))
  return yield* Effect.flip(sendTo(url, mail))
})

/** A mail server that answers until it comes to a stage, where it says nothing more, or says nothing to the point. */
const faltering = Effect.fnUntraced(function*(stage: string, manner: "is silent" | "dawdles") {
  const sockets = new Set<Socket>()
  const url = yield* mailServer((name, answer, socket) => {
    if (name === "connection") {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
    }
    if (name !== stage) return socket.write(answer)
    if (manner === "is silent") return
    const timer = setInterval(() => socket.write(`${answer.slice(0, 3)}-wait\r\n`), 100)
    socket.on("close", () => clearInterval(timer))
  })
  return { url, open: () => sockets.size }
})

/** A mail server that hands over each stage a client reaches, with the answer that goes on, and so can give another. */
const mailServer = Effect.fnUntraced(function*(
  reach: (stage: string, answer: string, socket: Socket) => void,
  lines: Array<string> = []
) {
  const server = createServer((socket) => {
    let isMessage = false
    socket.on("error", () => {})
    reach("connection", "220 ready\r\n", socket)
    createInterface(socket).on("line", (line) => {
      lines.push(line)
      const verb = line.slice(0, 4).trim()
      if (isMessage ? line !== "." : !stages.includes(verb)) return
      isMessage = verb === "DATA"
      reach(verb, verb === "DATA" ? "354 go on\r\n" : "250 fine\r\n", socket)
    })
  })
  server.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("no port"))
  return `smtp://127.0.0.1:${address.port}`
})
