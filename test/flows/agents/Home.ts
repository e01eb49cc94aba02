import { Effect } from "effect"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { temporaryFolder } from "../../support/TestDatabase.ts"

/**
 * Starts programs of Node with a home of their own, where nothing was kept before and no browser opens. They are ended
 * when the scope closes.
 */
export const home = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  for (const opener of ["xdg-open", "open"]) writeFileSync(join(folder, opener), "#!/bin/sh\n", { mode: 0o755 })
  const running = yield* Effect.acquireRelease(
    Effect.sync(() => new Set<ChildProcessWithoutNullStreams>()),
    (running) => Effect.promise(() => Promise.all([...running].map(end)))
  )
  return (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, args, { env: { PATH: folder, HOME: folder, ...env } })
    running.add(child)
    child.once("close", () => running.delete(child))
    return child
  }
})

const end = async (child: ChildProcessWithoutNullStreams) => {
  const gone = once(child, "close")
  child.kill("SIGKILL")
  await gone
}

/** Address in what such a program says, to which its user has to go. */
export const questionIn = (text: string): URL | undefined => {
  const [found] = /https?:\/\/\S+\/authorize\?\S+/.exec(text) ?? []
  return found === undefined ? undefined : new URL(found)
}

/** Brings the user back to such a program, which may say where they have to go before it listens. */
export const comeBack = async (callback: URL): Promise<void> => {
  for (let attempts = 0; attempts < 200; attempts++) {
    const answer = await fetch(callback).catch(() => undefined)
    if (answer !== undefined) return
    await setTimeout(50)
  }
  throw new Error(`Nothing listens at ${callback.origin}`)
}
