import { Effect, FileSystem, Schema, Stream } from "effect"
import { Refused } from "../../core/legacy/rehearsal/RequestTally.ts"
import { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import { isPrintable } from "../../domain/Text.ts"
import * as InputFile from "./InputFile.ts"

/** Cause for which requests of an app are refused, or are not sure to be answered; the last item tells the totals. */
export const RehearsalItem = Schema.Union([
  Refused,
  Schema.Struct({
    requests: Schema.Int,
    refused: Schema.Int,
    unjudged: Schema.Int,
    unreadable: Schema.Int,
    firstUnreadable: Schema.NullOr(Schema.Struct({ line: Schema.Int, text: Schema.String }))
  })
])
type RehearsalItem = typeof RehearsalItem.Type

export const rehearsalLine = (item: RehearsalItem): string => "cause" in item ? refusedLine(item) : summary(item)

/** Text of the log. A character that is not in UTF-8 spoils its own value alone: strangers send what they like. */
export const logText = Effect.fnUntraced(function*(path: string) {
  const files = yield* FileSystem.FileSystem
  const unreadable = () => new BadRequest({ code: "log_unreadable", message: `The log ${path} cannot be read.` })
  // Reports a mistyped path before the file is judged, which may take minutes.
  yield* Effect.mapError(files.access(path, { readable: true }), unreadable)
  return Stream.decodeText(InputFile.read(path, unreadable))
})

export const requestsRefused = new Conflict({
  code: "requests_refused",
  message: "Some requests would be refused: docs/legacy.md says what to do about each cause."
})

/** An import would write what the rehearsal has to come before. */
export const rehearsalApplies = new BadRequest({
  code: "rehearsal_applies",
  message: "--rehearse writes nothing, so it does not go with --apply: rehearse first, then import."
})

const refusedLine = ({ cause, clientId, example, of, requests }: Refused): string =>
  [
    `${requests} of ${of}`,
    clientId === null ? "(no client_id)" : /^[\x21-\x7e]+$/.test(clientId) ? clientId : escaped(clientId),
    cause,
    ...(example === null ? [] : [escaped(example)])
  ].join("\t")

/** A value that strangers sent, which must not move the cursor or turn the text of a terminal around. */
const escaped = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\x20-\x7e]/gu, (character) => isPrintable(character) ? character : "\ufffd")

const summary = (
  { firstUnreadable, refused, requests, unjudged, unreadable }: Exclude<RehearsalItem, Refused>
): string =>
  `${refused} of ${counted(requests, "request")} would be refused.` +
  (unjudged === 0 ? "" : ` ${unjudged} more will be, unless they send code_challenge, which the log does not say.`) +
  (firstUnreadable === null
    ? ""
    : ` ${counted(unreadable, "line")} could not be read; line ${firstUnreadable.line} ${firstUnreadable.text}.`)
