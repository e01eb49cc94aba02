import { Effect, Redacted, Schema, Stdio, Stream } from "effect"
import { Prompt } from "effect/cli"
import { minLength } from "../../core/accounts/local/NewPassword.ts"

/** There is no usable password. The message is one line for the operator. */
export class PasswordMissing extends Schema.TaggedError<PasswordMissing>()("PasswordMissing", {
  message: Schema.String
}) {}

/** A password from the prompt or standard input; other processes could see an argument. */
export const readPassword = Effect.fnUntraced(function*(fromStdin: boolean) {
  const isAsked = !fromStdin && (yield* (yield* Stdio.Stdio).stdinIsTerminal)
  return yield* isAsked ? prompt : fromStandardInput
})

const prompt = Effect.gen(function*() {
  const password = yield* Prompt.Password({ message: `Password (at least ${minLength} characters)` })
  const repeated = yield* Prompt.Password({ message: "The same again" })
  if (Redacted.value(password) === Redacted.value(repeated)) return password
  return yield* new PasswordMissing({ message: "The two passwords differ." })
})

const fromStandardInput = Effect.gen(function*() {
  const { stdin } = yield* Stdio.Stdio
  const text = (yield* Stream.mkString(Stream.decodeText(stdin))).replace(/\r?\n$/, "")
  if (text !== "") return Redacted.make(text, { label: "password" })
  return yield* new PasswordMissing({ message: "The password is missing: pass it on standard input." })
})
