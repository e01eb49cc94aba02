import { Context, DateTime, Effect, flow, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type BadRequest, Conflict, type Forbidden, type NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Credential } from "../../../domain/Credential.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { type Logo, Logos } from "../logos/Logos.ts"
import { appAccess, type AppAct, type AppRole } from "../records/AppAccess.ts"
import type { Client, ManagedClient } from "../records/Client.ts"
import { ClientsRepo, type OwnedPage } from "../records/ClientsRepo.ts"
import { KnownScopes } from "../records/EnteredScope.ts"
import * as NewClientId from "../records/NewClientId.ts"
import { optionalFaults } from "../records/OptionalScopes.ts"
import { kindFaults } from "../records/RedirectUri.ts"
import { SecretVault } from "../secrets/SecretVault.ts"
import { type Actor, clientCommands, stateOf } from "./ClientCommands.ts"
import { recentUse } from "./LegacyUsage.ts"
import * as Lifecycle from "./Lifecycle.ts"
import { newClient } from "./NewClient.ts"
import {
  clientEditWith,
  type EditInput,
  type Registration,
  type RegistrationInput,
  registrationWith
} from "./Registration.ts"
import { RegistrationDrafts } from "./RegistrationDrafts.ts"
import { submittedLogos } from "./SubmittedLogos.ts"

type Managed<E> = Effect.Effect<ManagedClient, E | NotFound>

/**
 * Registered apps (specification §3): owners register, change and delete their apps, and every part of the server finds
 * an app here. Who is one, and may do what, says `AppAccess`. The portal and the management API call it; what others do
 * to an app is in `ClientReview`. `Lifecycle` has the rules. Commands on one app run one after the other, whatever node
 * they reach.
 */
export class ClientRegistry extends Context.Service<ClientRegistry, {
  /** A client in any state. */
  find(id: string): Effect.Effect<Option.Option<Client>>
  /** Finds several by one statement; answers those that there are, by their ids. */
  findAll(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Client>>
  /**
   * Registers an app, which then waits for review. A confidential one gets its first secret. The same draft sent twice,
   * by a double click, is one app: the second answer has no secret. The draft that is kept goes with it. Fails when a
   * hundred apps of the owner wait already.
   */
  register(
    owner: UserId,
    input: RegistrationInput,
    draft?: string
  ): Effect.Effect<{ client: ManagedClient; secret: Option.Option<Credential> }, BadRequest | Conflict>
  /** App that was registered from this draft. */
  registeredFrom(owner: UserId, draft: string): Effect.Effect<Option.Option<ManagedClient>>
  /**
   * Faults of a registration as it was entered, with those of its logo, which is fetched. One that was entered in part
   * lacks what is missing yet, too.
   */
  check(owner: UserId, input: RegistrationInput): Effect.Effect<ReadonlyArray<Input.Fault>>
  /** Apps whose first owner this is, the newest first. */
  listOwned(owner: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** With those that others share with this user. */
  listOf(user: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** Same, page by page, of all or those found; `cursor` is the `nextCursor` of the page before. */
  pageOf(
    user: UserId,
    limit: number,
    cursor: string | undefined,
    search?: string
  ): Effect.Effect<OwnedPage, BadRequest>
  /** App in which this person has a part (`AppAccess`); one of others is not found. */
  getOwned(owner: UserId, id: string): Managed<never>
  /** Same for an act that not each of them may do. */
  getFor(act: AppAct, owner: UserId, id: string): Managed<Forbidden>
  /** Role of this person in an app, if they have a part in it. */
  roleOf(user: string, client: Client): Effect.Effect<AppRole | undefined>
  /** Roles of this person in apps. */
  rolesIn(user: UserId, clients: ReadonlyArray<ManagedClient>): Effect.Effect<ReadonlyMap<string, AppRole>>
  /**
   * Changes an app, whose logo is fetched if its address is another one. On an approved app, what needs review waits
   * for it, and the approved version serves meanwhile.
   */
  edit(owner: UserId, id: string, input: EditInput): Managed<BadRequest | Conflict>
  /** Takes back the saved scopes of a legacy client, within `LEGACY_UNDO` after they were saved. */
  undoMigration(owner: UserId, id: string, version?: number): Managed<Conflict>
  /** Puts a rejected app into the queue again. */
  resubmit(owner: UserId, id: string): Managed<Conflict>
  /** Takes back a change that waits or was rejected. */
  withdrawChange(owner: UserId, id: string): Managed<Conflict>
  /** Deletes the app with its secrets and grants. */
  remove(owner: UserId, id: string): Effect.Effect<void, NotFound | Forbidden>
}>()("slotkey/core/clients/life/ClientRegistry") {
  static readonly layer = Layer.effect(
    ClientRegistry,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalogue = yield* Catalogue
      const repo = yield* ClientsRepo
      const access = yield* appAccess
      const commands = yield* clientCommands
      const logos = yield* Logos
      const submitted = yield* submittedLogos
      const drafts = yield* RegistrationDrafts
      const vault = yield* SecretVault
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const outbox = yield* Outbox
      const usageOf = yield* recentUse
      const { legacyUndo, redirectSchemes } = yield* AppConfig
      const judged = Effect.provideService(KnownScopes, catalogue)
      const decodeRegistration = flow(Input.decode(registrationWith(redirectSchemes)), judged)
      const decodeEdit = flow(Input.decode(clientEditWith(redirectSchemes)), judged)

      const edit = Effect.fn("ClientRegistry.edit")(function*(owner: UserId, id: string, input: EditInput) {
        const edit = yield* decodeEdit(input).pipe(
          // A form with other mistakes reports its logo's faults, too, as at the registration.
          Effect.catch(({ details = [] }) =>
            Effect.flatMap(
              submitted.faults(owner, id, input.logoUrl),
              (faults) => Input.invalid([...details, ...faults])
            )
          )
        )
        const seen = edit.scopes === undefined ? undefined : yield* usageOf(id)
        const { logo, ...logoFields } = yield* submitted.edit(owner, id, edit)
        const change = { ...edit, ...logoFields }
        return yield* commands.run(
          ownerOf(owner),
          id,
          (client, now) => Lifecycle.edit(catalogue, client, change, now, seen, redirectSchemes)
        ).pipe(
          Effect.tap(({ id }) => logo === undefined ? Effect.void : logos.keep(id, logo)),
          inTransaction(sql)
        )
      })

      const insert = Effect.fnUntraced(
        function*(owner: UserId, registration: Registration, logo: Option.Option<Logo>, draft?: string) {
          const id = draft === undefined ? NewClientId.random() : NewClientId.of(owner, draft)
          const scopes = catalogue.inOrder(registration.scopes)
          const optionalScopes = catalogue.inOrder(registration.optionalScopes ?? [])
          const client = newClient(owner, id, { ...registration, scopes, optionalScopes }, logo, yield* DateTime.now)
          if (!(yield* repo.insert(client))) {
            return { client: Option.getOrThrow(yield* repo.get(client.id)), secret: Option.none<Credential>() }
          }
          if ((yield* repo.countPending(owner)) > mostPending) return yield* tooManyPending
          if (draft !== undefined) yield* drafts.discard(owner, draft)
          if (Option.isSome(logo)) yield* logos.keep(client.id, logo.value)
          yield* audit.record({ actor: owner, action: "client.registered", clientId: client.id })
          yield* outbox.publish(ReviewNotice.make({ clientId: client.id, event: "submitted", state: stateOf(client) }))
          // The first secret of a confidential app is what its registration costs.
          if (client.kind === "confidential") {
            const { secret } = yield* Effect.orDie(vault.generateFirst(client.id))
            return { client, secret: Option.some(secret) }
          }
          yield* budgets.spend("change", owner)
          return { client, secret: Option.none<Credential>() }
        },
        inTransaction(sql)
      )

      /** Reads a registration, with all that is wrong with it. */
      const read = Effect.fnUntraced(function*(owner: UserId, input: RegistrationInput) {
        const decoded = yield* Effect.result(decodeRegistration(input))
        // A form with other mistakes reports its logo's faults, too: each one that comes later is another round for
        // the developer.
        const logo = yield* Effect.result(submitted.registration(owner, input.logoUrl))
        const { optionalScopes = [] } = input
        const faults = [
          ...Input.faultsOf(decoded),
          ...optionalFaults(catalogue, optionalScopes, { scopes: input.scopes, optionalScopes }),
          ...input.kind === "confidential" ? kindFaults(input.kind, input.redirectUris, redirectSchemes) : [],
          ...Input.faultsOf(logo)
        ]
        return { decoded, logo, faults }
      })

      const registeredFrom = (owner: UserId, draft: string) => repo.get(NewClientId.of(owner, draft))

      const register = Effect.fn("ClientRegistry.register")(
        function*(owner: UserId, input: RegistrationInput, draft?: string) {
          const before = draft === undefined ? Option.none() : yield* registeredFrom(owner, draft)
          // Its draft is gone, so that the second click may bring less than the first.
          if (Option.isSome(before)) return { client: before.value, secret: Option.none<Credential>() }
          const { decoded, faults, logo } = yield* read(owner, input)
          if (faults.length > 0) return yield* Input.invalid(faults)
          return yield* insert(owner, yield* Effect.fromResult(decoded), yield* Effect.fromResult(logo), draft)
        }
      )

      return ClientRegistry.of({
        find: repo.find,
        findAll: repo.findAll,
        register,
        registeredFrom: Effect.fn("ClientRegistry.registeredFrom")(registeredFrom),
        check: Effect.fn("ClientRegistry.check")((owner, input) =>
          Effect.map(read(owner, input), ({ faults }) => faults)
        ),
        listOwned: repo.listOwned,
        listOf: repo.listOf,
        pageOf: repo.pageOf,
        getOwned: (owner, id) => Effect.flatMap(repo.get(id), (found) => access.see(owner, found)),
        getFor: (act, owner, id) => Effect.flatMap(repo.get(id), (found) => access.allow(owner, found, act)),
        roleOf: access.roleOf,
        rolesIn: access.rolesIn,
        edit,
        undoMigration: Effect.fn("ClientRegistry.undoMigration")((owner, id, version) =>
          commands.run(ownerOf(owner), id, (it, now) => Lifecycle.undoMigration(it, version, legacyUndo, now))
        ),
        resubmit: Effect.fn("ClientRegistry.resubmit")((owner, id) =>
          commands.run(ownerOf(owner), id, Lifecycle.resubmit)
        ),
        withdrawChange: Effect.fn("ClientRegistry.withdrawChange")((owner, id) =>
          commands.run(ownerOf(owner), id, Lifecycle.withdraw)
        ),
        remove: (owner, id) => commands.remove(ownerOf(owner), id)
      })
    })
  )
}

// Each registration is work for every reviewer.
const mostPending = 100
const tooManyPending = new Conflict({
  code: "too_many_pending",
  message: `${mostPending} of your apps wait for review. Register more when some of them were reviewed.`
})

const ownerOf = (id: UserId): Actor => ({ id, as: "owner" })
