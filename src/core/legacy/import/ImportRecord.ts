import { Predicate, Result, Schema, Struct } from "effect"
import { createHash } from "node:crypto"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import * as Credential from "../../../domain/Credential.ts"
import { type Fault, faults } from "../../../domain/Input.ts"
import { Instant } from "../../../domain/Instant.ts"
import { oneOf } from "../../../domain/Listed.ts"
import { ruled } from "../../../domain/Rule.ts"
import { Reason, Registration } from "../../clients/life/Registration.ts"
import { ClientStatus } from "../../clients/records/Client.ts"
import { ClientKind } from "../../clients/records/ClientKind.ts"
import * as RedirectUri from "../../clients/records/RedirectUri.ts"
import * as ForeignDigest from "../../clients/secrets/ForeignDigest.ts"
import * as SecretInfo from "../../clients/secrets/SecretInfo.ts"
import { AccountReference } from "./AccountReference.ts"

const printableAscii = (max: number) =>
  Schema.String.check(
    Schema.makeFilter((text) =>
      /^[\x20-\x7e]+$/.test(text) && text.length <= max && text.trim() === text ||
      `must have 1 to ${max} printable ASCII characters`
    )
  )

/** Forms of a refresh token: it is looked up by its digest, so salted ones could never be found. */
const tokenAlgorithms = ["clear", "sha256-hex", "sha256-base64"] as const

const foreignForms = Struct.keys(ForeignDigest.kinds)

const algorithmOf = <L extends ReadonlyArray<string>>(names: L) => {
  const list = oneOf(names)
  return Schema.Literals(names).annotate({ message: `must be ${list}` }).pipe(
    Schema.annotateKey({ messageMissingKey: `is required: ${list}` })
  )
}

const EncodedToken = Schema.Struct({ value: printableAscii(4096), algorithm: algorithmOf(tokenAlgorithms) }).check(
  Schema.makeFilter((token) => digestOf(token) !== undefined || `is not the ${token.algorithm} form of a SHA-256`)
)

const EncodedSecret = Schema.Struct({
  value: printableAscii(4096),
  algorithm: algorithmOf([...tokenAlgorithms, ...foreignForms])
}).check(
  Schema.makeFilter((secret) => {
    const form = foreignFormOf(secret)
    if (form !== undefined) {
      const { isOfForm, words } = ForeignDigest.kinds[form]
      return isOfForm(secret.value) || `must be ${words}`
    }
    const digested = secret.algorithm === "clear" ? ForeignDigest.algorithmOf(secret.value) : undefined
    if (digested !== undefined) return `is a digest (${digested}), not a secret in the clear: name its algorithm`
    return digestOf(secret) !== undefined || `is not the ${secret.algorithm} form of a SHA-256`
  })
)
type EncodedSecret = typeof EncodedSecret.Type

/** Slow digest under which a secret is given, if it is under one. */
export const foreignFormOf = ({ algorithm }: EncodedSecret): ForeignDigest.Form | undefined =>
  foreignForms.find((form) => form === algorithm)

/** A refresh token that the old server issued, and the account that it was issued for. */
const ImportedRefreshToken = Schema.Struct({
  token: EncodedToken,
  user: AccountReference.pipe(Schema.annotateKey({ messageMissingKey: "is required" })),
  issued_at: Schema.optionalKey(Instant),
  expires_at: Schema.optionalKey(Instant)
})

/** A word that the old server took in `scope` (RFC 6749 §3.3, without the comma, which separates words here). */
const ScopeWord = Schema.String.check(
  Schema.makeFilter((word) => /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/.test(word) || noScopeHere)
)

const noScopeHere = "must be a word that is no scope here"

/** App itself. Only its first record in the file needs it. */
export const ImportedApp = Schema.Struct({
  owner: AccountReference.pipe(Schema.annotateKey({ messageMissingKey: "is required" })),
  name: Registration.fields.name,
  purpose: Schema.optionalKey(Registration.fields.purpose),
  website: Schema.optionalKey(Registration.fields.website),
  logo_url: Schema.optionalKey(Registration.fields.logoUrl),
  kind: Schema.optionalKey(ClientKind),
  status: Schema.optionalKey(ClientStatus.annotate({ message: `must be ${oneOf(ClientStatus.literals)}` })),
  /** Reason for a rejection or suspension, which the owner reads. */
  reason: Schema.optionalKey(Reason),
  // A pattern is judged with the other addresses, which are counted there.
  redirect_uris: RedirectUri.listOf(
    Schema.String.check(
      ruled((uri) => RedirectUri.isPattern(uri) ? undefined : RedirectUri.keptProblem(uri))
    )
  ),
  created_at: Schema.optionalKey(Instant),
  scope_words: Schema.optionalKey(Schema.Array(ScopeWord))
})
export type ImportedApp = typeof ImportedApp.Type

const idleDaysRule = "must be a number of days from 1 to 3650"
const IdleDays = Schema.NullOr(
  Schema.Number.check(Schema.makeFilter((days) => Number.isInteger(days) && days >= 1 && days <= 3650 || idleDaysRule))
).annotate({ message: idleDaysRule })

/** One record of an import file. A record that repeats a `client_id` adds its secrets and tokens to that app. */
export const ImportRecord = Schema.Struct({
  client_id: printableAscii(255).pipe(Schema.annotateKey({ messageMissingKey: "is required" })),
  app: Schema.NullOr(ImportedApp),
  /** The old server replaced refresh tokens, so that the imported ones may be sent once. */
  rotates: Schema.Boolean.annotate({ message: "must be true or false" }),
  /** Days after which the refresh tokens of this record end unless they are used; `null` for no such end. */
  idle_days: IdleDays,
  secrets: Schema.Array(EncodedSecret),
  refresh_tokens: Schema.Array(ImportedRefreshToken)
})
export type ImportRecord = typeof ImportRecord.Type

/** A record that cannot be decoded, and the app that it is about, as far as that can be read. */
export interface Misfit extends AppHead {
  readonly clientId: string
  readonly faults: ReadonlyArray<string>
  /** Its absence from the import is no fault: this server is not for such apps. */
  readonly isLeftOut?: boolean
}

/** Name and the owner of an app as its record has them; empty where it has none. */
export interface AppHead {
  readonly name: string
  readonly owner: string
}

const decode = Schema.decodeUnknownResult(ImportRecord, { errors: "all", onExcessProperty: "error" })

/** Decodes a record; the faults name the fields as the file does, with what stands there unless it is secret. */
export const decodeRecord = (input: RecordInput): Result.Result<ImportRecord, Misfit> =>
  Result.mapError(decode({ ...input, app: withoutRepeats(input.app) }), ({ issue }) => ({
    ...headOf(input.client_id, input.app),
    faults: faults(issue).map((fault) => `${fault.path.replace(/^app\./, "")}${valueAt(input, fault)} ${fault.message}`)
  }))

/** Refuses a record whose `scope_words` are scopes of the catalogue, which no setting makes words without meaning. */
export const refusingScopes =
  ({ isScope }: Catalogue) => (record: ImportRecord): Result.Result<ImportRecord, Misfit> => {
    const faults = (record.app?.scope_words ?? []).flatMap((word, at) =>
      isScope(word) ? [`scope_words.${at} ${quoted(word)} ${noScopeHere}`] : []
    )
    return faults.length === 0
      ? Result.succeed(record)
      : Result.fail({ ...headOf(record.client_id, record.app), faults })
  }

interface RecordInput extends Readonly<Record<string, unknown>> {
  readonly client_id?: unknown
  readonly app?: unknown
}

/** An app of which an address that came twice comes once, as the old server read it. */
const withoutRepeats = (app: unknown): unknown =>
  Predicate.hasProperty(app, "redirect_uris") && Array.isArray(app.redirect_uris)
    ? { ...app, redirect_uris: [...new Set(app.redirect_uris)] }
    : app

/** A record that cannot be decoded at all. */
export const unreadable = (path: string, message: string, clientId: unknown = ""): Result.Result<never, Misfit> =>
  Result.fail({ ...headOf(clientId, null), faults: [`${path} ${message}`.trim()] })

/** Parts of a record that cannot be decoded that say which app it is about. */
export const headOf = (clientId: unknown, app: unknown) => ({
  clientId: typeof clientId === "string" ? clientId : "",
  name: Predicate.hasProperty(app, "name") && typeof app.name === "string" ? app.name : "",
  owner: Predicate.hasProperty(app, "owner") ? personText(app.owner) : ""
})

/** An account as a record names it: by an address or id, or as a subject of an issuer. */
const personText = (person: unknown): string =>
  typeof person === "string"
    ? person
    : Predicate.hasProperty(person, "subject") && typeof person.subject === "string"
    ? person.subject
    : ""

/** Text at fault, shortened; of secrets and tokens nothing but who and until when. */
const valueAt = (input: RecordInput, { path }: Fault): string => {
  if (
    /^(?:secrets|refresh_tokens)\b/.test(path) &&
    !/\.(?:algorithm|expires_at|user|user\.(?:issuer|subject))$/.test(path)
  ) return ""
  const value = path.split(".").reduce<unknown>(
    (within, name) => Predicate.hasProperty(within, name) ? within[name] : undefined,
    input
  )
  return value !== "" && ["boolean", "number", "string"].includes(typeof value) ? ` ${quoted(value)}` : ""
}

/** A value of the file as a report shows it, shortened. */
export const quoted = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`
}

// Two addresses of the usual length, of which the end tells what is wrong with them.
const mostShown = 200

/** SHA-256 of a secret or token; `undefined` when the value does not have that form. */
export const digestOf = ({ algorithm, value }: EncodedSecret): Uint8Array | undefined => {
  if (algorithm === "clear") return Credential.digest(value)
  if (algorithm === "sha256-hex") return /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, "hex") : undefined
  if (algorithm !== "sha256-base64") return undefined
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? Buffer.from(value, "base64") : undefined
}

/** True for a secret or token that is short enough to be guessed. */
export const isShort = ({ algorithm, value }: EncodedSecret): boolean =>
  algorithm === "clear" && SecretInfo.isShort(value)

/** Names of an app's fields in a file. */
export const appFields: ReadonlyArray<string> = Object.keys(ImportedApp.fields)

/** A digest of an app's fields, to compare records that repeat them. */
export const fingerprint = (app: ImportedApp): string =>
  createHash("sha256").update(JSON.stringify(appFields.map((name) => app[name as keyof ImportedApp] ?? null)))
    .digest("hex")
