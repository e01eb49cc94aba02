import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

const python = "/usr/bin/python3"

/** True if the clients in Python can run here, or must (`TEST_NO_SKIP`): then they fail without their libraries. */
export const isAvailable = process.env["TEST_NO_SKIP"] === "1" ||
  spawnSync(python, ["-c", "import authlib, requests_oauthlib"]).status === 0

/** Starts a script of test/flows/python, which reads and writes lines; it is stopped when the scope closes. */
export const script = Effect.fnUntraced(function*(name: string, args: ReadonlyArray<string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(python, [`test/flows/python/${name}.py`, ...args], { stdio: ["pipe", "pipe", "pipe"] })),
    (child) => Effect.sync(() => child.kill())
  )
  let complaint = ""
  child.stderr.on("data", (chunk) => complaint += chunk)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    write: (line: string) => Effect.sync(() => child.stdin.write(`${line}\n`)),
    read: Effect.promise(async () => {
      const { done, value } = await lines.next()
      if (done) {
        if (child.exitCode === null) await once(child, "exit")
        throw new Error(`the script ended: ${complaint}`)
      }
      return value
    })
  }
})
