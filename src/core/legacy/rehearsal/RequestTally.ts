import { Effect, Schema, type Scope } from "effect"
import * as TemporaryDatabase from "../import/TemporaryDatabase.ts"
import { Cause } from "./Judgement.ts"

/** Requests of one app that are not sure to be answered, for one cause. */
export const Refused = Schema.Struct({
  /** As the requests name it, shortened; `null` where they name none. */
  clientId: Schema.NullOr(Schema.String),
  cause: Cause,
  requests: Schema.Int,
  /** All requests of the app in the log. */
  of: Schema.Int,
  /** What the first of them sent, as far as it may be shown. */
  example: Schema.NullOr(Schema.String)
})
export type Refused = typeof Refused.Type

/** Counts of a rehearsal by app and cause. */
export interface RequestTally {
  /** Notes an app of the file that is not imported. */
  readonly addUnfit: (clientId: string) => void
  readonly isUnfit: (clientId: string) => boolean
  /** Counts a request; `undefined` stands for one that is answered. */
  readonly add: (clientId: string | null, cause: Cause | undefined, example: string | null) => void
  /** Counts of what is not sure to be answered, the highest first. */
  readonly refused: () => Iterable<Refused>
}

/**
 * Opens a tally in a temporary database, like the draft of an import: strangers can send a million ids to an
 * authorization endpoint, and all of them are in its log.
 */
export const open: Effect.Effect<RequestTally, never, Scope.Scope> = Effect.map(
  Effect.suspend(() => TemporaryDatabase.open(tables)),
  (database) => {
    const addUnfit = database.prepare("INSERT OR IGNORE INTO unfit VALUES (?)")
    const findUnfit = database.prepare("SELECT 1 FROM unfit WHERE client_id = ?")
    const add = database.prepare(`INSERT INTO requests VALUES (?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET requests = requests + 1`)
    const refused = database.prepare(`SELECT nullif(client_id, '') AS "clientId", cause, requests, example,
        (SELECT sum(requests) FROM requests a WHERE a.client_id = r.client_id) AS "of"
      FROM requests r WHERE cause <> '' ORDER BY requests DESC, client_id, cause`)
    return {
      addUnfit: (clientId) => addUnfit.run(clientId),
      isUnfit: (clientId) => findUnfit.get(clientId) !== undefined,
      add: (clientId, cause, example) =>
        add.run(shortened(clientId ?? ""), cause ?? "", example === null ? null : shortened(example)),
      *refused() {
        for (const row of refused.iterate()) yield decode(row)
      }
    }
  }
)

/** No client has a longer id, and nobody reads a longer example. */
const shortened = (text: string): string => text.length <= 255 ? text : `${text.slice(0, 255)}…`

const decode = Schema.decodeUnknownSync(Refused)

const tables = `
  CREATE TABLE unfit (client_id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE requests (
    client_id TEXT, cause TEXT, requests INTEGER, example TEXT, PRIMARY KEY (client_id, cause)
  ) WITHOUT ROWID;
`
