import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"

/**
 * True if a command succeeds, such as one that imports the libraries of a client in another language, or if nothing may
 * be skipped (`TEST_NO_SKIP`): then the clients fail without their libraries.
 */
export const isAvailable = (program: string, ...args: ReadonlyArray<string>): boolean =>
  process.env["TEST_NO_SKIP"] === "1" || spawnSync(program, args).status === 0

/** Debian's Python: another one that comes first in the path has none of Debian's libraries. */
export const python = "/usr/bin/python3"

/** Libraries of Go in Debian's packages: without modules, nothing is downloaded. */
export const goPath = "/usr/share/gocode"
const debianGo = { GO111MODULE: "off", GOPATH: goPath }

/** Starts a program that reads and writes lines; it is stopped when the scope closes. */
export const start = Effect.fnUntraced(function*(
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program, args, {
        env: { ...process.env, ...debianGo, ...env },
        stdio: ["pipe", "pipe", "pipe"]
      })
    ),
    (child) => Effect.sync(() => child.kill())
  )
  let complaint = ""
  child.stderr.on("data", (chunk) => complaint += chunk)
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => code === 0 ? resolve() : reject(new Error(`${program} ended: ${complaint}`)))
  })
  // A reader of a line that does not come learns of the end.
  ended.catch(() => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    write: (line: string) => Effect.sync(() => child.stdin.write(`${line}\n`)),
    /** Next line of its output; fails if it has ended. */
    read: Effect.promise(async () => {
      const { done, value } = await lines.next()
      if (!done) return value
      await ended
      throw new Error(`${program} has written all: ${complaint}`)
    }),
    /** What it still writes; fails unless it ends well. */
    rest: Effect.promise(async () => {
      let text = ""
      for (let line = await lines.next(); !line.done; line = await lines.next()) text += `${line.value}\n`
      await ended
      return text
    })
  }
})

/** Starts a script of test/flows/python. */
export const pythonScript = (
  name: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) => start(python, [`test/flows/python/${name}.py`, ...args], env)
