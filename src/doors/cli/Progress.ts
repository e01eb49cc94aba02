import { Effect, Stdio, Stream } from "effect"
import { Json } from "./OperatorCommand.ts"

/**
 * Tells on standard error how far a long command is: on a terminal in one line that changes, elsewhere in a line for every
 * 5,000. With `--json` standard error is for errors alone, unless somebody watches.
 */
export const make = Effect.fnUntraced(function*(what: string) {
  const stdio = yield* Stdio.Stdio
  const isTerminal = yield* stdio.stderrIsTerminal
  const isSilent = !isTerminal && (yield* Json)
  const write = (text: string) => Effect.orDie(Stream.run(Stream.make(text), stdio.stderr({ endOnDone: false })))
  if (isTerminal) yield* Effect.addFinalizer(() => write("\n"))
  let told = 0
  return (count: number) => {
    if (isSilent || count - told < (isTerminal ? 100 : 5_000)) return Effect.void
    told = count
    return write(isTerminal ? `\r${count} ${what}` : `${count} ${what}\n`)
  }
})
