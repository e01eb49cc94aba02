import { DateTime, Effect, Schema } from "effect"
import { stat } from "node:fs/promises"
import type { MailHostList } from "../../domain/ThrowawayMailHosts.ts"
import { contentOf } from "./SettingFile.ts"

/** File of `THROWAWAY_MAIL_HOSTS` that cannot be used. */
class MailHostsError extends Schema.TaggedError<MailHostsError>()("MailHostsError", { message: Schema.String }) {}

/** Reads the file of `THROWAWAY_MAIL_HOSTS`: a host a line, and lines that begin with `#` say nothing. */
export const loadMailHosts = Effect.fnUntraced(function*(
  path: string
): Effect.fn.Return<MailHostList, MailHostsError> {
  const bytes = yield* Effect.mapError(contentOf(path, largestFile), (message) => new MailHostsError({ message }))
  if (bytes.length > largestFile) return yield* new MailHostsError({ message: "The file is too large." })
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/).map((line) => line.trim().toLowerCase())
  const wrong = lines.findIndex((line) => line !== "" && !line.startsWith("#") && !isHost(line))
  if (wrong >= 0) return yield* new MailHostsError({ message: `line ${wrong + 1} is no host name` })
  const hosts = new Set(lines.filter(isHost))
  if (hosts.size === 0) return yield* new MailHostsError({ message: "The file has no host." })
  const at = yield* Effect.tryPromise({
    try: () => stat(path),
    catch: () => new MailHostsError({ message: "The file is gone." })
  })
  return { hosts, at: DateTime.fromDateUnsafe(at.mtime) }
})

const largestFile = 16 * 1024 * 1024

const isHost = (line: string): boolean => /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u.test(line)
