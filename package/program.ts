import { execFile, spawn } from "node:child_process"
import { promisify } from "node:util"

// Programs that the check of the package runs. Each has a time limit, and one that fails shows what it printed.

export interface Program {
  /** Folder in which it runs. */
  readonly cwd: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: NodeJS.ProcessEnv
}

/** Milliseconds for a program, on a machine that has other things to do as well. */
const patience = 300_000

const interruption = new AbortController()

/** Ends all programs that run, when one of those beside them has failed. */
export const interruptAll = () => interruption.abort()

/** Runs a program to its end; what it prints on standard output. */
export const run = async (program: Program): Promise<string> => {
  const { args, command, cwd, env = process.env } = program
  try {
    const { signal } = interruption
    const options = { cwd, env, signal, timeout: patience, killSignal: "SIGKILL", maxBuffer: 16_000_000 } as const
    return (await promisify(execFile)(command, args, options)).stdout
  } catch (cause) {
    const { killed, stderr, stdout } = cause as { readonly [name in "killed" | "stderr" | "stdout"]?: unknown }
    throw failed(program, killed === true ? tookTooLong : "failed", `${stdout ?? ""}\n${stderr ?? ""}`, cause)
  }
}

/**
 * Runs a program that goes on until it gets SIGTERM; `use` gets what it prints on standard output once that is `ready`.
 */
export const whileRunning = async (program: Program, ready: RegExp, use: (said: RegExpExecArray) => Promise<void>) => {
  const { args, command, cwd, env = process.env } = program
  const { signal } = interruption
  const child = spawn(command, args, { cwd, env, signal, stdio: ["ignore", "pipe", "pipe"] })
  let [said, printed, isLate] = ["", "", false]
  const limit = setTimeout(() => {
    isLate = true
    child.kill("SIGKILL")
  }, patience)
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve())
    child.once("close", () => resolve())
  })
  child.stderr.on("data", (chunk) => printed += chunk)
  try {
    const found = await new Promise<RegExpExecArray>((resolve, reject) => {
      child.stdout.on("data", (chunk) => {
        printed += chunk
        said += chunk
        const match = ready.exec(said)
        if (match !== null) resolve(match)
      })
      void ended.then(() => reject(new Error(isLate ? tookTooLong : "ended")))
    })
    await use(found)
    child.kill("SIGTERM")
    await ended
    if (isLate) throw new Error(tookTooLong)
  } catch (cause) {
    throw failed(program, isLate ? tookTooLong : String(cause), printed, cause)
  } finally {
    child.kill("SIGKILL")
    clearTimeout(limit)
  }
}

const tookTooLong = `took more than ${patience / 1_000} seconds`

const failed = ({ args, command, cwd }: Program, how: string, printed: string, cause: unknown) =>
  new Error(`${[command, ...args].join(" ")} in ${cwd}: ${how}\n${printed}`, { cause })
