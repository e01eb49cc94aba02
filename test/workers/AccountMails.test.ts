import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { EmailChanges } from "../../src/core/accounts/local/EmailChanges.ts"
import { Invitations } from "../../src/core/accounts/local/Invitations.ts"
import { PasswordResets } from "../../src/core/accounts/local/PasswordResets.ts"
import { AccountMail } from "../../src/foundation/jobs/kinds/AccountMail.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { eventually } from "../support/Eventually.ts"
import { unwrapped } from "../support/MailText.ts"
import { done, header, outside, Process, processWith } from "./Outside.ts"

const password = Redacted.make("correct horse battery staple")

/** Token of the link in a mail, which is on a line of its own. */
const tokenIn = (message: string | undefined, path: string) => {
  const [, token = ""] =
    new RegExp(`^https://slotkey.test${path}\\?token=(slk_link_\\w+)\\r?$`, "m").exec(message ?? "") ?? []
  assert.notStrictEqual(token, "", message)
  return token
}

const person = Effect.fnUntraced(function*(email: string) {
  return yield* (yield* Accounts).create({ email, name: "Uma Local", password })
})

/** Rows of every table, as somebody with a stolen backup reads them. */
const dump = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ schema: string; name: string }>`SELECT table_schema AS schema, table_name AS name
    FROM information_schema.tables WHERE table_schema IN ('public', 'bullmq') AND table_type = 'BASE TABLE'`
  const rows = yield* Effect.forEach(
    tables,
    ({ name, schema }) => sql<{ row: string }>`SELECT t::text AS row FROM ${sql(schema)}.${sql(name)} t`
  )
  return rows.flat().map(({ row }) => row).join("\n")
})

layer(Process, { excludeTestServices: true })("Mails with links", (it) => {
  it.effect("let the owner of an account choose a new password, and are kept nowhere but in the mailbox", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const resets = yield* PasswordResets
      const { email, id } = yield* person("uma.local@example.test")
      smtp.mood = "refuses"
      yield* resets.request(" UMA.local@example.test ")
      yield* eventually(Effect.sync(() => smtp.attempts > 1))
      smtp.mood = "accepts"
      yield* done(1)
      assert.deepStrictEqual(smtp.received.map(({ to }) => to), [email])
      const [{ message = "" } = {}] = smtp.received
      assert.strictEqual(header(message, "Subject"), "Choose a new password")
      const token = tokenIn(message, "/reset-password")
      const stolen = yield* dump
      assert.include(stolen, id)
      assert.notInclude(stolen, token)
      assert.strictEqual(Option.getOrThrow(yield* resets.find(token)).id, id)
    }))

  it.effect("go to nobody where there is no account", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      yield* (yield* PasswordResets).request("nobody.local@example.test")
      yield* done(1)
      assert.isEmpty(smtp.received)
    }))

  it.effect("invite people, in the name of the administrator and with the role", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const invitations = yield* Invitations
      yield* invitations.invite({ email: "new.local@example.test", role: "reviewer" }, "ada")
      yield* done(1)
      const [{ message = "", to } = {}] = smtp.received
      assert.strictEqual(to, "new.local@example.test")
      assert.include(
        unwrapped(message),
        "\u201cada\u201d invites you to create an account at slotkey.test, as a reviewer."
      )
      assert.include(message, "Hello,")
      assert.isTrue(Option.isSome(yield* invitations.find(tokenIn(message, "/invitation"))))
    }))

  it.effect("confirm a new address, and tell the old one, with whom to write to if it was somebody else", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const changes = yield* EmailChanges
      const account = yield* person("before.local@example.test")
      yield* changes.request(account, "after.local@example.test")
      yield* done(2)
      const to = (address: string) => smtp.received.find((one) => one.to === address)?.message
      const confirmation = to("after.local@example.test")
      const announcement = to(account.email)
      // The name of an account may be the words of a stranger.
      assert.notInclude(confirmation ?? "", account.name)
      assert.include(
        announcement ?? "",
        "Current address: before.local@example.test\r\nNew address: after.local@example.test\r\n"
      )
      assert.isTrue(Option.isSome(yield* changes.find(tokenIn(confirmation, "/confirm-address"))))
      assert.include(announcement ?? "", "https://slotkey.test/forgotten-password")
      assert.include(unwrapped(announcement), "write to the administrators of this server")
      assert.notInclude(announcement ?? "", "slk_link_")
    }))

  it.effect("tell the owner of a taken address, and the account that wants it nothing else than ever", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const changes = yield* EmailChanges
      const account = yield* person("wants.local@example.test")
      const owner = yield* person("owns.local@example.test")
      yield* changes.request(account, owner.email)
      yield* done(2)
      const to = (address: string) => smtp.received.find((one) => one.to === address)?.message ?? ""
      assert.strictEqual(header(to(owner.email), "Subject"), "You have an account with this address")
      assert.notInclude(to(owner.email), "slk_link_")
      assert.strictEqual(
        header(to(account.email), "Subject"),
        "The email address of your account is about to change"
      )
    }))

  it.effect("go to the new address although the old one takes no mail any more", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const account = yield* person("gone.local@example.test")
      smtp.unknown.add(account.email)
      yield* (yield* EmailChanges).request(account, "moved.local@example.test")
      yield* done(1)
      assert.deepStrictEqual(smtp.received.map(({ to }) => to), ["moved.local@example.test"])
    }))

  it.effect("are not sent any more for what was withdrawn", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const invitations = yield* Invitations
      smtp.mood = "refuses"
      const { id } = yield* invitations.invite({ email: "late.local@example.test", role: "user" }, "ada")
      yield* eventually(Effect.sync(() => smtp.attempts > 0))
      yield* invitations.withdraw(id, "ada")
      // The mail server goes on refusing, so the job ends only when it sends nothing any more.
      yield* done(1)
      assert.isEmpty(smtp.received)
    }))

  it.effect("follow a change of the password, by its user or an operator, and say what to do about a thief", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      const accounts = yield* Accounts
      const resets = yield* PasswordResets
      const { email, id } = yield* person("changed.local@example.test")
      const replacement = Redacted.make("rain on the roof at noon")
      const mails = Effect.fnUntraced(function*(count: number) {
        yield* done(count)
        return smtp.received.map(({ message, to }) => ({ to, message, subject: header(message, "Subject") }))
      })

      yield* accounts.setPassword(id, replacement, id)
      const [own] = yield* mails(1)
      assert.deepInclude({ ...own }, { to: email, subject: "Your password was changed" })
      assert.include(own?.message, "Done by: your account")
      assert.include(own?.message, "https://slotkey.test/forgotten-password")
      assert.notInclude(own?.message, Redacted.value(replacement))

      yield* accounts.setPassword(id, password, "cli")
      const [, operators] = yield* mails(2)
      assert.include(operators?.message, "Done by: an operator of this server")

      yield* resets.request(email)
      const [, , link] = yield* mails(3)
      const token = tokenIn(link?.message, "/reset-password")
      yield* resets.use(token, { password: replacement, endApiKeys: false }, () => Effect.void)
      assert.strictEqual((yield* mails(4)).at(-1)?.subject, "Your password was changed")
    }))
})

layer(processWith({ SUPPORT_ADDRESS: "help@slotkey.test" }), { excludeTestServices: true })(
  "A support address",
  (it) => {
    it.effect("stands in the notice of a new address, which goes to the old one although the change is done", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const { id: userId } = yield* person("has.moved.local@example.test")
        const change = { userId, email: "old.local@example.test", wanted: "has.moved.local@example.test" }
        yield* (yield* Outbox).publish(AccountMail.make({ mail: "email-change-notice", ...change }))
        yield* done(1)
        const [{ message = "", to } = {}] = smtp.received
        assert.strictEqual(to, "old.local@example.test")
        assert.include(unwrapped(message), "ask at help@slotkey.test and name both addresses")
      }))
  }
)
