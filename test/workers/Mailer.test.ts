// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { type Mail, Mailer } from "../../workers/Mailer.ts"
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
