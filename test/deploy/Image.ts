import { Effect, type Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { eventually } from "../support/Eventually.ts"
import { environment, type Instruction, ofImage, project, stages } from "./Dockerfile.ts"

/**
 * Dockerfile, carried out by hand in a folder that stands for the root of the image: there is no Docker engine where
 * the tests run. What it makes belongs to root, and its processes run as its unprivileged user.
 */
export interface Image {
  readonly root: string
  /** Starts a process as a container does, with an input for it to read; it gets a SIGTERM when the scope closes. */
  readonly start: (
    command: ReadonlyArray<string>,
    env: Readonly<Record<string, string>>,
    input?: string
  ) => Effect.Effect<Container, never, Scope.Scope>
}

export interface Container {
  /** What it has printed so far. */
  readonly printed: () => string
  /** What it has printed, and what is in its other stream. */
  readonly output: () => string
  /** Waits until the question is answered with yes, and dies with the output if the process ends before that. */
  readonly until: <E>(ask: Effect.Effect<boolean, E>) => Effect.Effect<void, E>
  /** Sends a SIGTERM; answers the exit code, `null` if it had to be killed. */
  readonly stop: Effect.Effect<number | null>
  /** Answers its exit code once it has ended by itself. */
  readonly ended: Effect.Effect<number | null>
}

/** The reason why the image cannot be built here, if there is one. */
export const missing: string | undefined = process.getuid?.() === 0
  ? undefined
  : "skipped: only root can make the files of an image, and act as its user"

export const build: Effect.Effect<Image, never, Scope.Scope> = Effect.gen(function*() {
  // Docker's own, whatever the one here is.
  const umask = yield* Effect.sync(() => process.umask(0o022))
  yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(umask)))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-image-"))),
    // By a process of its own, which nobody waits for: on a busy disk so many files take most of a minute.
    (folder) => Effect.sync(() => spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" }).unref())
  )
  yield* Effect.sync(() => chmodSync(folder, 0o755))
  const roots = new Map<string, string>()
  for (const [number, stage] of stages.entries()) {
    const name = /AS (\w+)$/.exec(stage[0]?.text ?? "")?.[1] ?? `stage-${number}`
    roots.set(name, join(folder, name))
    yield* carryOut(stage, join(folder, name), roots)
  }
  const root = join(folder, `stage-${stages.length - 1}`)
  const start: Image["start"] = (command, env, input = "") =>
    run(root, command, { ...within(root, environment), ...env }, input)
  return { root, start }
})

/** Number of the user as whom its processes run. */
export const user = Number(ofImage("USER")[0]?.split(":")[0])

/** Values with the image's absolute paths replaced by those in the folder. */
const within = (root: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replace(/^\/(?=\w)/, `${root}/`)]))

const carryOut = Effect.fnUntraced(function*(
  stage: ReadonlyArray<Instruction>,
  root: string,
  roots: ReadonlyMap<string, string>
) {
  const bin = join(root, "usr/local/bin")
  mkdirSync(bin, { recursive: true })
  // Base image's Node: the same version, says the test of the Dockerfile.
  try {
    linkSync(process.execPath, join(bin, "node"))
  } catch {
    copyFileSync(process.execPath, join(bin, "node"))
  }
  let folder = root
  for (const { name, text } of stage) {
    if (name === "WORKDIR") {
      folder = join(root, text)
      mkdirSync(folder, { recursive: true })
    } else if (name === "COPY") {
      const [, from, paths = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? []
      const words = paths.split(" ")
      const target = words.at(-1) ?? ""
      for (const source of words.slice(0, -1)) {
        const path = from === undefined ? join(project, source) : join(roots.get(from) ?? "", source)
        const place = target.endsWith("/") ? join(folder, target, basename(source)) : join(folder, target)
        if (from === undefined) cpSync(path, place, { recursive: true })
        // Moved, because the dependencies have 10,000 files, and nothing needs the earlier stage any more.
        else renameSync(path, place)
      }
    } else if (name === "RUN") {
      const command = text.replaceAll(/(?<=\s)\/(?=(?:app|data|usr)\b)/g, `${root}/`)
      const env = { ...process.env, npm_config_prefer_offline: "true" }
      yield* Effect.promise(() => execute("sh", ["-c", command], { cwd: folder, env }))
    }
  }
})

const execute = promisify(execFile)

const run = (
  root: string,
  command: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  input: string
): Effect.Effect<Container, never, Scope.Scope> =>
  Effect.gen(function*() {
    const [program = "", ...args] = command
    const id = crypto.randomUUID()
    const [log, errors] = [join(root, `${id}.log`), join(root, `${id}.errors`)] as const
    const streams = [openSync(log, "a"), openSync(errors, "a")] as const
    // nginx opens its own streams by their names.
    chmodSync(log, 0o666)
    chmodSync(errors, 0o666)
    const local = join(root, "usr/local/bin", program)
    const child = spawn(existsSync(local) ? local : program, args, {
      cwd: join(root, "app"),
      env: { PATH: `${join(root, "usr/local/bin")}:${process.env["PATH"]}`, ...env },
      stdio: ["pipe", ...streams],
      uid: user,
      gid: user
    })
    child.stdin?.on("error", () => {}).end(input)
    const gone = once(child, "exit")
    const ended = Effect.promise(async () => {
      await gone
      return child.exitCode
    })
    const stop = Effect.andThen(Effect.sync(() => child.kill("SIGTERM")), ended).pipe(
      Effect.timeoutOrElse({
        duration: "30 seconds",
        orElse: () => Effect.andThen(Effect.sync(() => child.kill("SIGKILL")), ended)
      })
    )
    yield* Effect.addFinalizer(() => child.exitCode === null && child.signalCode === null ? stop : Effect.void)
    const printed = () => readFileSync(log, "utf8")
    const output = () => printed() + readFileSync(errors, "utf8")
    const dies = Effect.flatMap(ended, () => Effect.die(new Error(`${command.join(" ")} has ended: ${output()}`)))
    return { printed, output, until: (ask) => Effect.raceFirst(eventually(ask), dies), stop, ended }
  })
