import { Context, Effect, Option } from "effect"
import { SetupLinks } from "../../core/accounts/local/SetupLinks.ts"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { type Message, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"

/** Place of the set-up link, which no page shows: anyone who has it becomes the administrator. */
export const findSetupLink: Effect.Effect<Message, never, AppConfig> = Effect.map(
  AppConfig,
  ({ database }) =>
    database._tag === "Server"
      ? text("emptyServer.linkByCommand", { command: command("slotkey setup-link") })
      : text("emptyServer.linkInOutput", { command: command("npm run slotkey setup-link") })
)

const command = (line: string): Html => html`<code>${line}</code>`

/** Tells who opens a server without an administrator how to begin; nothing once there is one. */
export const emptyServerNotice = Effect.gen(function*() {
  const links = Option.map(yield* LocalUsers, Context.get(SetupLinks))
  const where = yield* findSetupLink
  // A platform with users of its own has its administrators, too.
  if (Option.isNone(links)) return Effect.succeed(nothing)
  // A server that has one keeps one, so pages ask the database no more.
  let isEmpty = true
  return Effect.gen(function*() {
    if (isEmpty) isEmpty = yield* links.value.isNeeded
    return isEmpty
      ? notice("warning", html`<p>${text("emptyServer", { strong })} ${where}</p>`)
      : nothing
  })
})
