import { Config, Duration, Effect, Option, Predicate } from "effect"
import { readFile } from "node:fs/promises"
import { settings } from "./Settings.ts"

/** Secrets that files hold: of a systemd credential, a secret of Docker or Kubernetes, a vault's agent. */
interface SecretFiles {
  /** Contents, by the names of the settings. */
  readonly contents: Readonly<Record<string, string>>
  /** What is wrong with a file, by the names of the settings. */
  readonly problems: ReadonlyMap<string, string>
}

/** Setting that names the file of a secret. */
export const fileSettingOf = (name: string): string => `${name}_FILE`

/** Settings that a file may hold. */
export const secrets = settings.filter(({ shown }) => shown !== undefined).map(({ name }) => name)

/**
 * Reads the file of each secret that has one. No message has what a file holds, nor its path: by mistake, that may be
 * the secret itself.
 */
export const secretFiles: Effect.Effect<SecretFiles> = Effect.gen(function*() {
  const contents: Record<string, string> = {}
  const problems = new Map<string, string>()
  for (const name of secrets) {
    const fileSetting = fileSettingOf(name)
    const path = yield* given(fileSetting)
    if (Option.isNone(path)) continue
    if (Option.isSome(yield* given(name))) {
      problems.set(name, `${name} and ${fileSetting} are both set: take one of them away`)
      continue
    }
    yield* Effect.match(contentOf(path.value), {
      onSuccess: (content) => void (contents[name] = content),
      onFailure: (reason) => void problems.set(name, `${fileSetting} names a file that cannot be used: ${reason}`)
    })
  }
  return { contents, problems }
})

/** Text of a variable of the environment; an empty one counts as absent. */
export const given = (name: string) =>
  Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none<string>())

/** Text of a file without the end of its last line, which editors and `echo` add. */
const contentOf = (path: string) =>
  Effect.tryPromise({ try: (signal) => readFile(path, { encoding: "utf8", signal }), catch: codeOf }).pipe(
    // A folder on the network can hang, and so does a pipe that nobody writes to.
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(`nothing within ${Duration.format(limit)}`) }),
    Effect.map((text) => text.replace(/\r?\n$/, "")),
    Effect.filterOrFail((text) => text !== "", () => "it is empty")
  )

const limit = Duration.seconds(5)

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : "it is no file of text"
