import { Context, Effect, Layer, Option, Schema } from "effect"
import { createHmac, type KeyObject } from "node:crypto"
import { sameText } from "../../../domain/ConstantTime.ts"
import { UserId } from "../../../domain/Ids.ts"
import { MasterKey } from "../../keys/MasterKey.ts"

/**
 * Id of a user under a MAC, which the pages of the user carry in their forms. It tells the server whose form it was
 * when the session is gone. It proves nothing else: a form with it alone does nothing.
 */
export class FormMarks extends Context.Service<FormMarks, {
  make(userId: UserId): string
  /** User of a mark that one of the servers has made. */
  read(mark: string | undefined): Option.Option<UserId>
}>()("slotkey/core/accounts/people/FormMarks") {
  static readonly layer: Layer.Layer<FormMarks, never, MasterKey> = Layer.effect(
    FormMarks,
    Effect.gen(function*() {
      const [newest, ...older] = (yield* MasterKey).derive("slotkey form mark")
      return FormMarks.of({
        make: (userId) => markOf(newest, userId),
        read: (mark) =>
          Option.filter(
            decodeUserId(Buffer.from(mark?.split(".")[0] ?? "", "base64url").toString("utf8")),
            (userId) => [newest, ...older].some((key) => sameText(mark, markOf(key, userId)))
          )
      })
    })
  )
}

const decodeUserId = Schema.decodeUnknownOption(UserId)

const markOf = (key: KeyObject, userId: UserId): string =>
  `${Buffer.from(userId).toString("base64url")}.${createHmac("sha256", key).update(userId).digest("base64url")}`
