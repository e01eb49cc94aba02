import { Effect, Stdio } from "effect"
import { Prompt } from "effect/cli"
import { BadRequest } from "../../domain/ApiError.ts"
import { toggle } from "./Flags.ts"

/** Flag of commands that end or delete something. */
export const yes = toggle("yes", "Do not ask for a confirmation; needed where nobody can be asked")

/** Asks on a terminal; elsewhere only `--yes` confirms. */
export const confirm = Effect.fnUntraced(function*(message: string, isConfirmed: boolean) {
  if (isConfirmed) return
  if (!(yield* (yield* Stdio.Stdio).stdinIsTerminal)) return yield* notConfirmed(message)
  if (!(yield* Prompt.Confirm({ message }))) return yield* declined
})

const notConfirmed = (message: string) =>
  new BadRequest({ code: "not_confirmed", message: `${message} Nothing was changed: say --yes to confirm.` })

const declined = new BadRequest({ code: "declined", message: "Nothing was changed." })
