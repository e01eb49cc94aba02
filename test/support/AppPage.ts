import { Effect, Redacted } from "effect"
import { parse } from "node-html-parser"
import { symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { LiveServer } from "./LiveServer.ts"
import { temporaryFolder } from "./TestDatabase.ts"

/** Code in a box of an app's credentials, as its owner copies it. */
export const codeOnPage = Effect.fnUntraced(function*(owner: Account, clientId: string, box: string) {
  const { url } = yield* LiveServer
  const token = Redacted.value(yield* (yield* Sessions).start(owner.id))
  const page = yield* Effect.promise(async () => {
    const response = await fetch(`${url}/settings/apps/${clientId}/credentials`, {
      headers: { cookie: `slotkey=${token}` }
    })
    return parse(await response.text(), { blockTextElements: {} })
  })
  return page.querySelector(`pre[aria-label="${box}"]`)?.textContent ?? ""
})

/** Saves a program in a folder where Node finds its libraries. */
export const saved = Effect.fnUntraced(function*(file: string, text: string) {
  const folder = yield* temporaryFolder
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, file), text)
  return join(folder, file)
})
