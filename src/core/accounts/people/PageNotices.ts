import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { KeptNotice } from "./KeptNotice.ts"
import type { Session } from "./Sessions.ts"

/** A sentence about what the user has just done, for the page at this path that the browser is sent to. */
type Notice = Omit<KeptNotice, "until">

/** Notices of a session: they wait in its row, which `Sessions.find` reads for every page. */
export const pageNotices = Effect.gen(function*() {
  const clock = yield* DatabaseClock
  const sql = yield* SqlClient.SqlClient

  /**
   * Keeps a notice until its page is shown, for five minutes at most. A page in another tab may be sent for at the same
   * time, so a session keeps a few, by their paths.
   */
  const leave = Effect.fn("PageNotices.leave")(function*({ digest }: Session, about: Notice) {
    const now = yield* clock.now
    const { path } = about
    const notice = { ...about, until: DateTime.addDuration(now, noticeLifetime) }
    yield* sql`UPDATE sessions SET notices = jsonb_build_array(${encodeNotice(notice)}::text::jsonb) ||
        (SELECT COALESCE(jsonb_agg(kept), '[]') FROM (
          SELECT kept FROM jsonb_array_elements(notices) AS kept
          WHERE kept ->> 'path' <> ${path} AND (kept ->> 'until')::timestamptz > ${DateTime.toDateUtc(now)}
          LIMIT ${mostNotices - 1}
        ) others)
      WHERE digest = ${digest}`
  }, Effect.orDie)

  /** Takes the session's notice for the page at this path: of several requests only one gets it. */
  const take = Effect.fn("PageNotices.take")(function*({ digest, notices }: Session, path: string) {
    const notice = notices.find((one) => one.path === path)
    if (notice === undefined) return Option.none<KeptNotice>()
    const taken = yield* sql`UPDATE sessions SET notices =
        (SELECT jsonb_agg(kept) FROM jsonb_array_elements(notices) AS kept WHERE kept ->> 'path' <> ${path})
      WHERE digest = ${digest} AND notices @> jsonb_build_array(jsonb_build_object('path', ${path}::text))
      RETURNING 1`
    return taken.length === 1 ? Option.some(notice) : Option.none<KeptNotice>()
  }, Effect.orDie)

  return { leave, take }
})

// Longer than a slow connection takes to follow a redirect; later the notice would be about something long ago.
const noticeLifetime = Duration.minutes(5)
const mostNotices = 10

const encodeNotice = Schema.encodeSync(Schema.fromJsonString(KeptNotice))
