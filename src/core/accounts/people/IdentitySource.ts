import { Context, type Effect, type Option, type Redacted } from "effect"
import type { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import type { Account } from "./Account.ts"

/**
 * Users of the server. Everything else knows people through this service alone, so a platform with accounts of its own
 * provides its own to `Services`; a server without one provides `LocalAccounts`.
 */
export class IdentitySource extends Context.Service<IdentitySource, {
  /**
   * Account of this e-mail address if the password is right. Should take equally long whether or not there is an
   * account, because the time tells who has one. `SignIn` limits the attempts. Fails when it has too much to do to look
   * at the password. A source whose users have no password here leaves it out, and the sign-in page has no form for
   * one.
   */
  readonly authenticate?: (
    email: string,
    password: Redacted.Redacted
  ) => Effect.Effect<Option.Option<Account>, TemporarilyUnavailable>
  /**
   * Same, and the result of `action`, which runs while nobody can change the password or disable the account. A session
   * that starts in it cannot outlive either. Local accounts have it; a source whose accounts are not in this database
   * leaves it out.
   */
  readonly authenticateThen?: <A>(
    email: string,
    password: Redacted.Redacted,
    action: (account: Account) => Effect.Effect<A>
  ) => Effect.Effect<Option.Option<A>, TemporarilyUnavailable>
  /**
   * User whom the headers of a request show, where somebody else signs them in: the sign-in page asks it first. Its
   * sessions last while it names the same user; any session ends when it names another. Each page asks it, and each
   * call of the management API with a session, so it should be quick. Token requests and checks of API calls never do.
   * The names of the headers are in lower case.
   */
  readonly browserUser?: (
    headers: Readonly<Record<string, string | undefined>>
  ) => Effect.Effect<Option.Option<Account>>
  /**
   * An account that may sign in, with its role and name as they are now. Called for pages, the management API and
   * `/v2/me`.
   */
  find(userId: string): Effect.Effect<Option.Option<Account>>
  /**
   * First accounts whose name, user name or e-mail address contains this text; reviewers find the apps of an owner that
   * way. A source that cannot search leaves it out, and its owners are found by their ids.
   */
  readonly search?: (text: string, limit: number) => Effect.Effect<ReadonlyArray<Account>>
  /** All who may review apps, administrators included; they get mails about apps that wait for review. */
  readonly reviewers: Effect.Effect<ReadonlyArray<Account>>
}>()("slotkey/core/accounts/people/IdentitySource") {}
