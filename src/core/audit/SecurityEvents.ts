import { Effect } from "effect"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { operator } from "./Operator.ts"

/** Who did what to which app, account or grant. */
export interface Act {
  /** An account's id, the name of a process such as `cli`, or the issuer of a provider. */
  readonly actor: string
  /** Subject and what happened to it, such as `client.approved`. */
  readonly action: string
  readonly clientId?: ClientId
  readonly userId?: UserId
  readonly grantId?: GrantId
}

/** An event that operators watch for, as docs/operations/logs.md lists it. */
interface SecurityEvent {
  readonly name: string
  readonly level: "Debug" | "Info" | "Warn"
  /** Message of its lines. */
  readonly says: string
  /** Audit action of the event; absent for one that changes nothing and is only in the log. */
  readonly action?: string
  /** Limits the event to acts by an operator, or by anybody but the user: people do the same to their own accounts. */
  readonly by?: "operator" | "others"
}

const replays = [
  {
    name: "refresh_token.theft",
    level: "Warn",
    says: "A replaced refresh token was used again: two parties hold it, and the grant was ended",
    action: "refresh_token.reused"
  },
  {
    name: "refresh_token.grace_replay",
    level: "Debug",
    says: "A refresh was repeated within its grace, and got the same answer"
  },
  {
    name: "authorization_code.replay",
    level: "Warn",
    says: "A spent code was used again, and the grant that it had opened was ended",
    action: "code.replayed"
  }
] as const satisfies ReadonlyArray<SecurityEvent>

/** Credentials that were found in public; they have ended. */
const leaks = [
  {
    name: "secret.leaked",
    level: "Warn",
    says: "A secret of an app was found in public and ended",
    action: "secret.leaked"
  },
  { name: "api_key.leaked", level: "Warn", says: "An API key was found in public and ended", action: "api_key.leaked" },
  {
    name: "refresh_token.leaked",
    level: "Warn",
    says: "A refresh token was found in public, and its grant ended",
    action: "refresh_token.leaked"
  },
  {
    name: "registration_token.leaked",
    level: "Warn",
    says: "The token that manages an app which registered by itself was found in public and ended",
    action: "registration_token.leaked"
  }
] as const satisfies ReadonlyArray<SecurityEvent>

const guesses = [
  {
    name: "sign_in.locked_out",
    level: "Warn",
    says: "Sign-ins from an address are refused after too many wrong passwords"
  },
  { name: "client.wrong_secret", level: "Warn", says: "A client sent a wrong secret" },
  {
    name: "client.locked_out",
    level: "Warn",
    says: "Requests of a client from an address are refused after too many wrong secrets"
  },
  {
    name: "dashboard.locked_out",
    level: "Warn",
    says: "The dashboard of the queues is closed to an address after too many wrong passwords"
  },
  {
    name: "leak_report.locked_out",
    level: "Warn",
    says: "Reports of leaked credentials from an address are refused after too many wrong signatures"
  }
] as const satisfies ReadonlyArray<SecurityEvent>

const act = (action: string, says: string): SecurityEvent => ({ name: `admin.${action}`, level: "Info", says, action })

/** Acts of administrators, operators and key rotation, under their names in the audit trail. */
const acts: ReadonlyArray<SecurityEvent> = [
  act("client.approved", "An app was approved"),
  act("client.rejected", "An app was rejected"),
  act("client.change_approved", "A change of an app was approved"),
  act("client.change_rejected", "A change of an app was rejected"),
  act("client.rejection_undone", "The rejection of an app was taken back"),
  act("client.change_rejection_undone", "The rejection of a change of an app was taken back"),
  act("client.approval_given", "An app, or a change of it, was approved by the first of two reviewers"),
  act("client.approval_withdrawn", "The first of two approvals was taken back"),
  act("client.approval_undone", "The approval of an app was undone"),
  act("client.change_approval_undone", "The approval of a change of an app was undone"),
  act("client.suspension_undone", "The suspension of an app was undone"),
  act("client.resumption_undone", "It was undone that an app was resumed"),
  act("client.asked", "The owner of an app was asked a question, which stops the clock of its review"),
  act("client.given", "An app was given to another owner"),
  act("client.inherited", "An app went to a co-owner, as its owner was shut out or has left"),
  act("client.ownerless", "The owner of an app was shut out or has left, and no co-owner is in their place"),
  act("test_app.revoked", "A test app was ended by an administrator"),
  act("test_apps.stopped", "All test apps were ended, and nobody can make another"),
  act("test_apps.allowed", "Test apps can be made again"),
  act("initial_token.created", "A token was made with which apps register by themselves"),
  act("initial_token.revoked", "A token with which apps register by themselves was revoked"),
  act("host.trusted", "A host is trusted: apps that describe themselves there get the base set without a review"),
  act("host.trust_ended", "A host is not trusted any more"),
  act("client.suspended", "An app was suspended"),
  act("client.resumed", "An app was resumed"),
  act("client.reports_settled", "A reviewer dealt with what users reported of an app"),
  act("client.widened", "A catalogue widened what scopes of an app allow"),
  act("client.imported", "A legacy app was imported"),
  act("legacy.imported", "Apps or refresh tokens of another server were imported"),
  { ...act("client.deleted", "An app was deleted by an operator"), by: "operator" },
  { ...act("secret.generated", "An app got another secret from an operator"), by: "operator" },
  { ...act("secret.revoked", "Secrets of an app were revoked by an operator"), by: "operator" },
  act("migration.asked", "Owners of legacy apps were asked to save scopes"),
  act("account.created", "An account was made"),
  act("account.invited", "Somebody was invited to make an account"),
  act("account.invitation_withdrawn", "An invitation to make an account was withdrawn"),
  act("account.email_restored", "An account got its old address back, which ended its sessions"),
  act("account.role_changed", "An account got another role"),
  act("account.disabled", "An account was disabled"),
  act("account.enabled", "An account was enabled"),
  act("account.deleted", "An account was deleted"),
  { ...act("account.password_changed", "An account got another password"), by: "others" },
  { ...act("session.ended", "Sign-ins were ended by an operator"), by: "operator" },
  { ...act("api_key.created", "An account got an API key"), by: "others" },
  { ...act("api_key.revoked", "API keys of an account were revoked"), by: "others" },
  act("grants.ended", "Grants were ended"),
  act("resource.created", "A resource was registered"),
  act("resource.changed", "A resource was changed"),
  act("resource.deleted", "A resource was deleted, and its grants ended"),
  act("resource_server.created", "A resource server got a credential"),
  act("resource_server.revoked", "The credential of a resource server was revoked"),
  act("catalogue.adopted", "The database took the catalogue of its first server"),
  act("catalogue.announced", "A catalogue was announced: each call must satisfy it as well as the one in force"),
  act("catalogue.finished", "The announced catalogue is in force"),
  act("catalogue.withdrawn", "The announced catalogue was withdrawn"),
  act("job.replayed", "Jobs that were put aside are tried again"),
  act("job.discarded", "Jobs that were put aside were deleted"),
  act("queue.changed", "Jobs, or a queue, were changed on the dashboard"),
  act("key.rotated", "A server key was made that takes over later"),
  act("key.replaced", "The server key was replaced at once"),
  act("master_key.rotated", "The server keys were sealed with another master key")
]

export const securityEvents: ReadonlyArray<SecurityEvent> = [...replays, ...leaks, ...guesses, ...acts]

/** Events that are no change, and so are reported where they are noticed. */
type Unrecorded = Exclude<(typeof replays | typeof guesses)[number], { readonly action: string }>["name"]

/** Ids and figures of an event, never a secret. */
type Fields = Readonly<Record<string, string | number>>

export const report = (name: Unrecorded, fields: Fields): Effect.Effect<void> => write(byName.get(name), fields)

/** Writes the events among these acts to the log: one line for all of one action. */
export const reportActs = (done: ReadonlyArray<Act>): Effect.Effect<void> =>
  Effect.forEach(
    Map.groupBy(done.filter(({ actor }) => actor !== "slotkey"), ({ action }) => action),
    ([action, [first, ...more]]) => {
      const event = byAction.get(action)
      if (first === undefined || isOwnBusiness(first, event)) return Effect.void
      return write(event, { ...fieldsOf(first, more), ...more.length > 0 && { count: more.length + 1 } })
    },
    { discard: true }
  )

const isOwnBusiness = ({ actor, userId }: Act, event: SecurityEvent | undefined): boolean =>
  event?.by === "operator" ? actor !== operator : event?.by === "others" && actor === userId

/** Fields that are the same in all acts. */
const fieldsOf = (first: Act, more: ReadonlyArray<Act>): Fields =>
  Object.fromEntries(
    columns.flatMap(([name, key]) => {
      const value = first[key]
      return value === undefined || more.some((act) => act[key] !== value) ? [] : [[name, value]]
    })
  )

const columns = [["actor", "actor"], ["client_id", "clientId"], ["user_id", "userId"], ["grant_id", "grantId"]] as const

const write = (event: SecurityEvent | undefined, fields: Fields): Effect.Effect<void> =>
  event === undefined
    ? Effect.void
    : Effect.annotateLogs(Effect.logWithLevel(event.level)(event.says), { event: event.name, ...fields })

const byName: ReadonlyMap<string, SecurityEvent> = new Map(securityEvents.map((event) => [event.name, event]))

const byAction: ReadonlyMap<string | undefined, SecurityEvent> = new Map(
  securityEvents.map((event) => [event.action, event])
)
