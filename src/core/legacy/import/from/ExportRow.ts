import { Option, Result, Schema, Struct } from "effect"
import { Instant } from "../../../../domain/Instant.ts"
import { Reason, Registration } from "../../../clients/life/Registration.ts"
import { LogoUrl } from "../../../clients/records/ReviewedFields.ts"
import * as ForeignDigest from "../../../clients/secrets/ForeignDigest.ts"
import type { Line } from "../ImportFile.ts"
import { decodeRecord, headOf, type Misfit } from "../ImportRecord.ts"
import type { Fields } from "../JsonRecords.ts"
import type { References } from "./References.ts"
import { has, listAt, meets, textAt, textsAt } from "./RowValues.ts"
import type { HexMeaning, Person, ServerExport, TokenRows } from "./ServerExport.ts"
import type { Origin } from "./Servers.ts"

/** Record that a row becomes, if any, and what of the row it leaves behind. */
type Read = Pick<Line, "record" | "losses">

/** Tells whether a row is one of this server, by the names of its members. */
export const isOf = ({ signs }: ServerExport, row: Fields): boolean => signs.every((paths) => has(row, paths))

/** Reads one row of an export by the server's mapping. */
export const read =
  (server: ServerExport, origin: Origin, references: References) => (row: Fields): Read | undefined => {
    const { tokens, users } = server
    if (users !== undefined && meets(row, users.when)) {
      const [key, address] = [textAt(row, [users.key]), textAt(row, [users.address])]
      if (key !== undefined && address !== undefined) references.set("user", key, address)
      return undefined
    }
    const people = { origin, references }
    if (tokens?.when !== undefined && meets(row, tokens.when)) return readToken(tokens, people, row)
    return server.apps === undefined || meets(row, server.apps) ? readApp(server, people, row) : undefined
  }

interface People {
  readonly origin: Origin
  readonly references: References
}

const readApp = (server: ServerExport, people: People, row: Fields): Read => {
  const { origin, references } = people
  const clientId = textAt(row, server.clientId)
  const name = textAt(row, server.name)
  const key = server.key === undefined ? undefined : textAt(row, [server.key])
  if (key !== undefined && clientId !== undefined) references.set("app", key, clientId)
  const reference = personAt(server.owner, people, row)
  const owner = reference ?? origin.owner
  const head = { client_id: clientId, app: { name, owner } }
  const leftOut = server.leavesOut.find((condition) => meets(row, condition))
  if (leftOut !== undefined) return misfit(head, leftOut.because, true)

  const kind = server.kind.find((condition) => meets(row, condition))?.kind ?? "confidential"
  // Servers make a secret for each app, and ignore a public one's.
  const secrets = kind === "public" ? [] : secretsOf(server, origin, row)
  if (secrets.some(({ value }) => /^\*+$/.test(value))) {
    return misfit(head, "the export hides the secret: docs/import-from.md says how to make one that does not")
  }
  const joined = tokens(server.tokens, people, row)
  if ([...secrets, ...joined.map(({ token }) => token)].some(({ algorithm }) => algorithm === undefined)) {
    return misfit(head, "64 hexadecimal digits may be a secret in the clear or its SHA-256: say which with --secrets")
  }
  const { losses, texts } = textsOf(server, row)
  const status = server.status.find((condition) => meets(row, condition))?.status
  const record = decodeRecord({
    ...(clientId === undefined ? {} : { client_id: clientId }),
    app: {
      ...(owner === undefined ? {} : { owner }),
      ...(name === undefined ? {} : { name }),
      ...texts,
      kind,
      ...(status === undefined ? {} : { status }),
      redirect_uris: redirectUrisOf(server, row)
    },
    rotates: server.tokens?.rotates ?? false,
    idle_days: null,
    secrets,
    refresh_tokens: joined
  })
  const ownerId = reference === undefined ? textAt(row, server.owner.id) : undefined
  return {
    record: owner === undefined ? Result.mapError(record, withoutOwner) : record,
    losses: [
      ...losses,
      ...server.loses.flatMap((condition) => meets(row, condition) ? [condition.part] : []),
      ...(ownerId === undefined ? [] : [`its owner ${ownerId}`])
    ]
  }
}

const readToken = (tokens: TokenRows, people: People, row: Fields): Read | undefined => {
  const reference = tokens.app === undefined ? undefined : textAt(row, [tokens.app])
  const clientId = reference === undefined ? undefined : people.references.get("app", reference)
  const [token] = tokensOf(tokens, people, row)
  if (token === undefined) return undefined
  if (clientId === undefined) {
    return misfit({}, `a refresh token is of application ${reference}, which is not before it in the file`)
  }
  return {
    record: decodeRecord({
      client_id: clientId,
      app: null,
      rotates: tokens.rotates,
      idle_days: null,
      secrets: [],
      refresh_tokens: [token]
    })
  }
}

/** Refresh token in the row of an app. */
const tokens = (mapping: TokenRows | undefined, people: People, row: Fields) =>
  mapping === undefined || mapping.when !== undefined ? [] : tokensOf(mapping, people, row)

const tokensOf = (mapping: TokenRows, people: People, row: Fields) => {
  if (meets(row, mapping.ended)) return []
  const clear = textAt(row, mapping.token)
  const sha256 = mapping.sha256 === undefined ? undefined : textAt(row, [mapping.sha256])
  const token = clear !== undefined
    ? { value: clear, algorithm: algorithmOf(clear, mapping.hex, people.origin) }
    : sha256 === undefined
    ? undefined
    : { value: sha256, algorithm: "sha256-hex" }
  if (token === undefined) return []
  const user = personAt(mapping.user, people, row) ?? textAt(row, mapping.user.id)
  const [issuedAt, expiresAt] = [textAt(row, mapping.issuedAt), textAt(row, mapping.expiresAt)]
  return [{
    token,
    ...(user === undefined ? {} : { user }),
    ...(issuedAt === undefined ? {} : { issued_at: issuedAt }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt })
  }]
}

/** Account that a row names, as far as it can be known here: by an address, or by an id of a known issuer. */
const personAt = ({ address, id }: Person, { origin, references }: People, row: Fields) => {
  const text = textAt(row, address)
  if (text !== undefined) return text
  const subject = textAt(row, id)
  if (subject === undefined) return undefined
  const known = references.get("user", subject)
  if (known !== undefined) return known
  return origin.issuer === undefined ? undefined : { issuer: origin.issuer, subject }
}

const secretsOf = ({ secrets }: ServerExport, origin: Origin, row: Fields) =>
  textsAt(row, secrets.at).map((text) => {
    const prefix = secrets.prefixes?.find((prefix) => text.startsWith(`${prefix}$`))
    const value = prefix === undefined ? text : text.slice(prefix.length)
    return { value, algorithm: algorithmOf(value, secrets.hex, origin) }
  })

/** Algorithm of a secret by its form; `undefined` where that tells nothing, and nobody has said it. */
const algorithmOf = (value: string, hex: HexMeaning, { hex: said }: Origin): string | undefined =>
  ForeignDigest.algorithmOf(value) ?? (/^[0-9a-f]{64}$/i.test(value) ? said ?? hex ?? undefined : "clear")

const redirectUrisOf = ({ redirectUris: { at, base, separator } }: ServerExport, row: Fields) => {
  const root = base === undefined ? undefined : textAt(row, [base])
  return listAt(row, at, separator).map((uri) => root !== undefined && uri.startsWith("/") ? root + uri : uri)
}

/** Texts that an app need not have. One that cannot be taken is lost, and the app comes without it. */
const textsOf = ({ texts: mapping }: ServerExport, row: Fields) => {
  const texts: Record<string, string> = {}
  const losses: Array<string> = []
  for (const name of Struct.keys(textChecks)) {
    const found = textsAt(row, mapping[name] ?? [])
    const taken = found.find(textChecks[name])
    if (taken !== undefined) texts[name] = taken
    else if (found[0] !== undefined) losses.push(`its ${name} ${JSON.stringify(found[0].slice(0, 80))}`)
  }
  return { texts, losses }
}

const isText = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (text: string) => Option.isSome(decode(text))
}

const textChecks = {
  purpose: isText(Registration.fields.purpose),
  website: isText(Registration.fields.website),
  logo_url: isText(LogoUrl),
  created_at: isText(Instant),
  reason: isText(Reason)
}

/** An app without an owner is no fault of the export, but a question to the operator. */
const withoutOwner = (found: Misfit): Misfit => ({
  ...found,
  faults: found.faults.map((fault) =>
    fault === "owner is required" ? "the export names no owner: say with --owner whose it is" : fault
  )
})

const misfit = (head: { client_id?: string | undefined; app?: object }, fault: string, isLeftOut = false): Read => ({
  record: Result.fail({ ...headOf(head.client_id, head.app), faults: [fault], isLeftOut })
})
