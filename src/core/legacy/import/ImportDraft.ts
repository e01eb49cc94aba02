import { Effect, Schema, type Scope } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Uuid from "../../../domain/Uuid.ts"
import type { ImportedAccount } from "../../accounts/linked/ImportedAccounts.ts"
import { identityKey, type Subject } from "../../accounts/people/ExternalIdentity.ts"
import { Client } from "../../clients/records/Client.ts"
import type { ImportedSecret } from "../../clients/secrets/SecretVault.ts"
import * as TemporaryDatabase from "./TemporaryDatabase.ts"

/** An app that the file names, as its first record has it. */
const DraftedApp = Schema.Struct({
  /** Line of that record. */
  line: Schema.Int,
  /** Fingerprint of its fields; `null` where the record has none. */
  fingerprint: Schema.NullOr(Schema.String),
  /** This server had no such app when the record was read. */
  isNew: Schema.Boolean,
  /** That record is at fault, so that there is no app to add others to. */
  isMisfit: Schema.Boolean
})
export type DraftedApp = typeof DraftedApp.Type

/** A refresh token that the import would add. */
const PlannedToken = Schema.Struct({
  line: Schema.Int,
  clientId: ClientId,
  userId: UserId,
  /** SHA-256 of the token. */
  digest: Schema.Uint8Array,
  issuedAt: Schema.NullOr(Schema.DateTimeUtc),
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  rotates: Schema.Boolean,
  idleDays: Schema.NullOr(Schema.Int)
})
export type PlannedToken = typeof PlannedToken.Type

/** An app that the import would add, with all of its secrets. */
export interface PlannedClient {
  readonly line: number
  readonly client: Client
  readonly secrets: ReadonlyArray<ImportedSecret>
}

/** A page of what was planned, in the order of the file, and the position after which the next one begins. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly end: number
}

/** Additions of the records read so far, and what the judgement of later ones needs to know of them. */
export interface ImportDraft {
  readonly app: (clientId: string) => DraftedApp | undefined
  readonly setApp: (clientId: string, app: DraftedApp) => void
  /** Keys by which `addSecret` got the secrets of an app. */
  readonly secretKeys: (clientId: string) => ReadonlySet<string>
  /** Takes a refresh token for a line; answers the line that has it already. */
  readonly claimToken: (key: string, line: number) => number | undefined
  /** Id of the account that this import makes for a subject, whatever record names it. */
  readonly idFor: (subject: Subject) => UserId
  /** Answers false for an account that was added before. */
  readonly addAccount: (account: ImportedAccount) => boolean
  readonly addClient: (line: number, client: Client) => void
  readonly addSecret: (key: string, secret: ImportedSecret) => void
  readonly addToken: (token: PlannedToken) => void
  readonly accounts: (after: number, limit: number) => Page<ImportedAccount>
  /** App as it would be here. The first call makes an index, so it comes when all apps are in the draft. */
  readonly client: (clientId: string) => Client | undefined
  readonly clients: (after: number, limit: number) => Page<PlannedClient>
  readonly tokens: (after: number, limit: number) => Page<PlannedToken>
}

/** Opens a draft in a temporary database. */
export const open: Effect.Effect<ImportDraft, never, Scope.Scope> = Effect.map(
  Effect.suspend(() => TemporaryDatabase.open(tables)),
  (database) => {
    const key = randomBytes(32)
    const findApp = database.prepare("SELECT app FROM apps WHERE client_id = ?")
    const setApp = database.prepare("INSERT OR REPLACE INTO apps VALUES (?, ?)")
    const findClaim = database.prepare("SELECT line FROM claims WHERE key = ?")
    const addClaim = database.prepare("INSERT INTO claims VALUES (?, ?)")
    const findSecrets = database.prepare("SELECT key, secret FROM secrets WHERE client_id = ?")
    const addSecret = database.prepare("INSERT INTO secrets VALUES (?, ?, ?)")
    const addAccount = database.prepare("INSERT OR IGNORE INTO accounts (id, account) VALUES (?, ?)")
    const addClient = database.prepare("INSERT INTO clients (line, client) VALUES (?, ?)")
    const addToken = database.prepare("INSERT INTO tokens (token) VALUES (?)")
    const pageOfAccounts = database.prepare("SELECT * FROM accounts WHERE position > ? ORDER BY position LIMIT ?")
    let findClient: StatementSync | undefined
    const pageOfClients = database.prepare("SELECT * FROM clients WHERE position > ? ORDER BY position LIMIT ?")
    const pageOfTokens = database.prepare("SELECT * FROM tokens WHERE position > ? ORDER BY position LIMIT ?")
    return {
      app: (clientId) => {
        const row = findApp.get(clientId)
        return row === undefined ? undefined : app.decode(row["app"])
      },
      setApp: (clientId, value) => setApp.run(clientId, app.encode(value)),
      secretKeys: (clientId) => new Set(findSecrets.all(clientId).map((row) => String(row["key"]))),
      claimToken: (key, line) => {
        const row = findClaim.get(key)
        if (row === undefined) addClaim.run(key, line)
        return row === undefined ? undefined : Number(row["line"])
      },
      idFor: (subject) =>
        UserId.make(Uuid.format(createHmac("sha256", key).update(identityKey(subject)).digest().subarray(0, 16))),
      addAccount: (value) => addAccount.run(value.id, account.encode(value)).changes === 1,
      addClient: (line, value) => addClient.run(line, client.encode(value)),
      addSecret: (key, value) => addSecret.run(value.clientId, key, secret.encode(value)),
      addToken: (value) => addToken.run(token.encode(value)),
      accounts: (after, limit) => pageOf(pageOfAccounts.all(after, limit), (row) => account.decode(row["account"])),
      client: (clientId) => {
        findClient ??= prepareById(database)
        const row = findClient.get(clientId)
        return row === undefined ? undefined : client.decode(row["client"])
      },
      clients: (after, limit) =>
        pageOf(pageOfClients.all(after, limit), (row) => {
          const value = client.decode(row["client"])
          const secrets = findSecrets.all(value.id).map((row) => secret.decode(row["secret"]))
          return { line: Number(row["line"]), client: value, secrets }
        }),
      tokens: (after, limit) => pageOf(pageOfTokens.all(after, limit), (row) => token.decode(row["token"]))
    }
  }
)

/** An import by itself never looks an app up, and should not pay for the index. */
const prepareById = (database: DatabaseSync): StatementSync => {
  database.exec("CREATE INDEX clients_by_id ON clients (client ->> 'id')")
  return database.prepare("SELECT client FROM clients WHERE client ->> 'id' = ?")
}

type Row = Readonly<Record<string, SQLOutputValue>>

const pageOf = <A>(rows: ReadonlyArray<Row>, read: (row: Row) => A): Page<A> => ({
  items: rows.map(read),
  end: Number(rows.at(-1)?.["position"] ?? 0)
})

const tables = `
  CREATE TABLE apps (client_id TEXT PRIMARY KEY, app TEXT) WITHOUT ROWID;
  CREATE TABLE claims (key TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID;
  CREATE TABLE secrets (client_id TEXT, key TEXT, secret TEXT, PRIMARY KEY (client_id, key)) WITHOUT ROWID;
  CREATE TABLE accounts (position INTEGER PRIMARY KEY, id TEXT UNIQUE, account TEXT);
  CREATE TABLE clients (position INTEGER PRIMARY KEY, line INTEGER, client TEXT);
  CREATE TABLE tokens (position INTEGER PRIMARY KEY, token TEXT);
`

const jsonOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const json = Schema.fromJsonString(Schema.toCodecJson(schema))
  return { encode: Schema.encodeSync(json), decode: Schema.decodeUnknownSync(json) }
}

const app = jsonOf(DraftedApp)
const account = jsonOf(Schema.Struct({ id: UserId, issuer: Schema.String, subject: Schema.String }))
const client = jsonOf(Client)
const token = jsonOf(PlannedToken)
const secret = jsonOf(
  Schema.Struct({
    clientId: ClientId,
    digest: Schema.Uint8Array,
    foreignDigest: Schema.NullOr(Schema.String),
    lastFour: Schema.String,
    guessable: Schema.Boolean
  })
)
