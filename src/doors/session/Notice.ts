import type { KeptNotice } from "../../core/accounts/people/KeptNotice.ts"
import type { Phrase } from "../../foundation/web/Html.ts"
import { inEnglish, keptMessage, type Message, type PlainValues } from "../../foundation/web/Message.ts"

/** A sentence about an act, for the page that follows it. */
export type Notice = Message<PlainValues> | string

/** A notice as it is kept. */
export const toKeep = (notice: Notice): Pick<KeptNotice, "message" | "text"> =>
  typeof notice === "string"
    ? { text: notice }
    : { text: inEnglish(notice), message: { key: notice.key, values: notice.values } }

/** A notice that was kept, for its reader. */
export const shown = ({ message, text }: KeptNotice): Phrase =>
  message === undefined ? text : keptMessage(message.key, message.values) ?? text
