import { Context, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Conflict } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import { broken } from "../../../domain/Rule.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { type Actor, clientCommands, type Reviewer, stateOf } from "../life/ClientCommands.ts"
import * as Lifecycle from "../life/Lifecycle.ts"
import { newClient } from "../life/NewClient.ts"
import { unchanged } from "../life/Transition.ts"
import { type Logo, Logos } from "../logos/Logos.ts"
import { type Client, ManagedClient } from "../records/Client.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { nobody } from "../records/Nobody.ts"
import { unwritten } from "../records/UnwrittenPurpose.ts"
import { addressProblem } from "./DocumentAddress.ts"
import { contentReader, type Described } from "./DocumentContent.ts"
import { documentFetch, isPassing } from "./DocumentFetch.ts"
import { DocumentRefused } from "./DocumentRefused.ts"
import { type ClientDocument, documentStore } from "./DocumentStore.ts"
import { follow, type Identity } from "./FollowDocument.ts"
import { hostName } from "./HostNames.ts"
import { TrustedHosts } from "./TrustedHosts.ts"

export { isDocumentId } from "./DocumentAddress.ts"
export { DocumentRefused } from "./DocumentRefused.ts"
export type { ClientDocument } from "./DocumentStore.ts"

/**
 * Apps that describe themselves by a document at their `client_id` (draft-ietf-oauth-client-id-metadata-document).
 * Identity is from the document, policy from our record: nothing in a document moves rights.
 */
export class ClientDocuments extends Context.Service<ClientDocuments, {
  /**
   * App of this https URL, whose document is read unless it was a moment ago: on the first time it is put before the
   * reviewers with the scopes that were asked for, and later what has changed is applied. It answers an app in any
   * status. Scopes that are asked for later widen an app that was never decided about, and no other. `person` is who
   * is signed in, whose budget it costs.
   */
  introduce(
    clientId: string,
    person: UserId,
    scopes: ReadonlyArray<ScopeName>,
    /** Base set of the resource that is asked for, which the apps of a trusted host have without a review. */
    base: ReadonlyArray<ScopeName>
  ): Effect.Effect<Client, DocumentRefused>
  /**
   * Trusts exactly this host (`TrustedHosts`), and approves the apps that wait there for this base set; answers how
   * many.
   */
  trust(by: Reviewer, host: string, base: ReadonlyArray<ScopeName>): Effect.Effect<number, Conflict>
  /** Document of this app, if it has one. */
  find(clientId: string): Effect.Effect<Option.Option<ClientDocument>>
}>()("slotkey/core/clients/documents/ClientDocuments") {
  static readonly layer = Layer.effect(
    ClientDocuments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalogue = yield* Catalogue
      const { clientDocuments, redirectSchemes } = yield* AppConfig
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const commands = yield* clientCommands
      const fetch = yield* documentFetch
      const logos = yield* Logos
      const outbox = yield* Outbox
      const readContent = contentReader(redirectSchemes)
      const repo = yield* ClientsRepo
      const store = yield* documentStore
      const trusted = yield* TrustedHosts

      /** What a document says as the identity of this app: a picture that it has stays while its address does. */
      const identityFor = (described: Described, logo: Option.Option<Logo>) => (client: ManagedClient): Identity => {
        const { logoUrl } = described
        const digest = versionWith(client, logoUrl)?.logoDigest ?? Option.getOrUndefined(logo)?.digest
        return digest === undefined
          ? { ...described, logoUrl: null, logoDigest: null }
          : { ...described, logoDigest: digest }
      }

      /** Picture at an address that the app did not have before; where there is none to take, the app has none. */
      const newLogo = Effect.fnUntraced(function*(
        { logoUrl }: Described,
        person: UserId,
        client: ManagedClient | undefined
      ) {
        if (logoUrl === null || (client !== undefined && versionWith(client, logoUrl) !== undefined)) {
          return Option.none<Logo>()
        }
        yield* budgets.spend("logo", person)
        return yield* Effect.option(logos.fetch(logoUrl))
      })

      const readAnew = Effect.fnUntraced(function*(
        { clientId, hosts, person }: Visit,
        kept: ClientDocument | undefined
      ) {
        yield* budgets.spendDocument(person, hosts)
        const known = kept?.fault === null ? kept : undefined
        const { document, freshUntil } = yield* fetch(clientId, known?.etag ?? null)
        const { content, digest, etag } = document === "same" ? known ?? gone : document
        return { described: yield* readContent(clientId, content), content, digest, etag, freshUntil }
      })

      /** Approves an app at once whose host reviewers trust, unless its name or its scopes need their word. */
      const approveTrusted = Effect.fnUntraced(
        function*(client: ManagedClient, { base, host }: Pick<Visit, "base" | "host">) {
          const scopes = catalogue.inOrder(base)
          if (client.status !== "pending" || scopes.length === 0 || !(yield* trusted.isTrusted(host))) return client
          return yield* commands.run(
            itself,
            client.id,
            (it, now) =>
              it.status === "pending"
                ? Lifecycle.approve(
                  catalogue,
                  new ManagedClient({ ...it, scopes, optionalScopes: [] }),
                  it.version,
                  now
                )
                : unchanged,
            { details: { trustedHost: host } }
          ).pipe(Effect.orElseSucceed(() => client))
        }
      )

      /** Puts an app before the reviewers that nobody has brought here before. */
      const add = Effect.fnUntraced(
        function*(visit: Visit, read: Effect.Success<ReturnType<typeof readAnew>>, logo: Option.Option<Logo>) {
          const { base, clientId, host, hosts, person, scopes } = visit
          const { described, digest } = read
          const id = ClientId.make(clientId)
          const wanted = [scopes.filter(catalogue.isScope), base, [catalogue.profileScope]]
          const client = new ManagedClient({
            ...newClient(
              nobody,
              id,
              {
                ...described,
                logoUrl: Option.isSome(logo) ? described.logoUrl : null,
                kind: "public",
                purpose: unwritten.document,
                scopes: catalogue.inOrder(wanted.find(({ length }) => length > 0) ?? []),
                optionalScopes: []
              },
              logo,
              yield* DateTime.now
            ),
            origin: "document"
          })
          // Somebody else was as fast.
          if (!(yield* repo.insert(client))) return Option.getOrElse(yield* repo.get(clientId), () => client)
          yield* budgets.spendIntroduction(person, hosts)
          yield* store.keep(clientId, { ...read, host })
          if (Option.isSome(logo)) yield* logos.keep(id, logo.value)
          yield* audit.record({
            actor: person,
            action: "client.introduced",
            clientId: id,
            details: { document: digest }
          })
          yield* outbox.publish(ReviewNotice.make({ clientId: id, event: "submitted", state: stateOf(client) }))
          return client
        },
        inTransaction(sql)
      )

      /** Applies what a document says to the record of its app. */
      const apply = Effect.fnUntraced(function*(
        client: ManagedClient,
        identity: ReturnType<typeof identityFor>,
        scopes: ReadonlyArray<ScopeName>,
        details: Readonly<Record<string, string>> = {}
      ) {
        const decide = (it: ManagedClient, now: DateTime.Utc) => follow(catalogue, it, identity(it), scopes, now)
        const isSame = Result.getOrUndefined(decide(client, yield* DateTime.now)) === undefined
        return isSame ? client : yield* Effect.orDie(commands.run(itself, client.id, decide, { details }))
      })

      /** Reads the document of a known app, and applies it. */
      const renew = Effect.fnUntraced(function*(visit: Visit, client: ManagedClient, kept: ClientDocument) {
        const { clientId, host, person, scopes } = visit
        const read = yield* readAnew(visit, kept)
        const logo = yield* newLogo(read.described, person, client)
        return yield* Effect.gen(function*() {
          yield* store.keep(clientId, { ...read, host })
          const identity = identityFor(read.described, logo)
          const next = yield* apply(client, identity, scopes, { document: read.digest })
          if (Option.isSome(logo)) yield* logos.keep(client.id, logo.value)
          return next
        }).pipe(inTransaction(sql))
      })

      /** Goes on with the document that is kept. */
      const goOn = Effect.fnUntraced(
        function*({ clientId, scopes }: Visit, client: ManagedClient, kept: ClientDocument) {
          if (kept.fault !== null) return yield* new DocumentRefused(kept.fault)
          const described = yield* readContent(clientId, kept.content)
          return yield* apply(client, identityFor(described, Option.none()), scopes)
        }
      )

      const update = Effect.fnUntraced(function*(visit: Visit, client: ManagedClient, kept: ClientDocument) {
        const now = yield* DateTime.now
        const isFresh = kept.fault === null && DateTime.isLessThan(now, kept.freshUntil)
        if (isFresh || !(yield* store.take(client.id))) return yield* goOn(visit, client, kept)
        return yield* renew(visit, client, kept).pipe(
          Effect.catchTag("DocumentRefused", (refused) =>
            isPassing(refused.reason) && kept.fault === null &&
              DateTime.isLessThan(now, DateTime.addDuration(kept.fetchedAt, silence))
              ? Effect.andThen(store.extend(client.id), goOn(visit, client, kept))
              : Effect.andThen(store.fail(client.id, refused), Effect.fail(refused)))
        )
      })

      const introduce = Effect.fn("ClientDocuments.introduce")(function*(
        clientId: string,
        person: UserId,
        scopes: ReadonlyArray<ScopeName>,
        base: ReadonlyArray<ScopeName>
      ) {
        const client = Option.getOrUndefined(yield* repo.get(clientId))
        // An app of another server may have such an id, and was registered all the same.
        if (client !== undefined && client.origin !== "document") return client
        if (clientDocuments === "off") return yield* new DocumentRefused({ reason: broken("documentsOff") })
        const problem = addressProblem(clientId)
        if (problem !== undefined) return yield* new DocumentRefused({ reason: problem, field: "client_id" })
        const host = new URL(clientId).hostname
        const { owner: hosts } = yield* hostName(host)
        const visit = { base, clientId, host, hosts, person, scopes }
        const kept = Option.getOrUndefined(yield* store.find(clientId))
        if (client !== undefined && kept !== undefined) {
          return yield* approveTrusted(yield* update(visit, client, kept), visit)
        }
        const read = yield* readAnew(visit, undefined)
        const added = yield* add(visit, read, yield* newLogo(read.described, person, undefined))
        return yield* approveTrusted(added, visit)
      })

      const trust = Effect.fn("ClientDocuments.trust")(
        function*(by: Reviewer, host: string, base: ReadonlyArray<ScopeName>) {
          yield* trusted.trust(by, host)
          const waiting = yield* repo.findAll(yield* store.waitingAt(host))
          const approved = yield* Effect.forEach(
            yield* repo.withChanges([...waiting.values()]),
            (client) => approveTrusted(client, { base, host })
          )
          return approved.filter(({ status }) => status === "approved").length
        },
        inTransaction(sql)
      )

      return ClientDocuments.of({ introduce, trust, find: store.find })
    })
  )
}

/** Who comes with which app, and for what. */
interface Visit {
  readonly clientId: string
  readonly host: string
  /** Registrable name of the host, by which its requests are counted. */
  readonly hosts: string
  readonly person: UserId
  readonly base: ReadonlyArray<ScopeName>
  readonly scopes: ReadonlyArray<ScopeName>
}

const itself: Actor = { id: "slotkey", as: "document" }

/** Version of an app with a picture from this address. */
const versionWith = (client: ManagedClient, logoUrl: string | null) =>
  [client.change, client].find((version) => version?.logoUrl === logoUrl && version.logoDigest !== null) ?? undefined

/** How long a kept document serves while its host does not answer. */
const silence = Duration.days(1)

const gone = { content: "", digest: "", etag: null }
