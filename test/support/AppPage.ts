import { Effect, Redacted } from "effect"
import { parse } from "node-html-parser"
import { symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { LiveServer } from "./LiveServer.ts"
import { temporaryFolder } from "./TestDatabase.ts"

const pageOf = Effect.fnUntraced(function*(owner: Account, clientId: string) {
  const { url } = yield* LiveServer
  const token = Redacted.value(yield* (yield* Sessions).start(owner.id))
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/settings/apps/${clientId}/credentials`, {
      headers: { cookie: `slotkey=${token}` }
    })
    return parse(await response.text(), { blockTextElements: {} })
  })
})

/** Code in a box of an app's credentials, as its owner copies it. */
export const codeOnPage = (owner: Account, clientId: string, box: string) =>
  Effect.map(pageOf(owner, clientId), (page) => page.querySelector(`pre[aria-label="${box}"]`)?.textContent ?? "")

/** What the credentials of an app say to enter in the form of a platform, by the names of its fields. */
export const platformOnPage = (owner: Account, clientId: string, title: string) =>
  Effect.map(pageOf(owner, clientId), (page) => {
    const details = page.querySelectorAll("details").find((one) => one.querySelector("summary")?.textContent === title)
    const values = details?.querySelectorAll("dd code").map(({ textContent }) => textContent) ?? []
    return Object.fromEntries(
      (details?.querySelectorAll("dt") ?? []).map((
        { textContent },
        at
      ): [string, string] => [textContent, values[at] ?? ""])
    )
  })

/** Saves a program in a folder where Node finds its libraries. */
export const saved = Effect.fnUntraced(function*(file: string, text: string) {
  const folder = yield* temporaryFolder
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, file), text)
  return join(folder, file)
})
