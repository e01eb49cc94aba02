import type { Account, Role } from "../core/accounts/people/Account.ts"
import type { ClientStatus } from "../core/clients/records/Client.ts"
import type { ClientKind } from "../core/clients/records/ClientKind.ts"
import type { Scope } from "../domain/scopes/Scope.ts"

/** A user, and the password of a local account; empty for one of an identity source of your own. */
export interface TestUser extends Pick<Account, "email" | "id" | "name" | "role" | "username"> {
  readonly password: string
}

export interface UserOptions {
  /**
   * A user of an identity source of your own; the first of its reviewers unless given. A new local account has an id of
   * its own.
   */
  readonly id?: string
  readonly email?: string
  readonly name?: string
  readonly role?: Role
  /** Organization of a new local account. Unless `decides` is true, its user may not decide for it. */
  readonly organization?: { readonly name: string; readonly decides?: boolean }
}

/** A registered app with what it needs to speak to the token endpoint. */
export interface TestApp {
  readonly clientId: string
  /** A public app has none. */
  readonly clientSecret: string | undefined
  readonly name: string
  readonly kind: ClientKind
  readonly redirectUri: string
  /** Scopes that it registered; none for a legacy app. */
  readonly scopes: ReadonlyArray<Scope>
  readonly legacy: boolean
  readonly owner: TestUser
}

export interface AppOptions {
  /** `approved` unless given. A legacy app is approved always. */
  readonly status?: ClientStatus
  /** `confidential` unless given. */
  readonly kind?: ClientKind
  /** True for an app of the time before scopes, imported as those are. */
  readonly legacy?: boolean
  readonly name?: string
  readonly scopes?: ReadonlyArray<Scope>
  /** Scopes that its users may decline; none unless given. */
  readonly optionalScopes?: ReadonlyArray<Scope>
  readonly redirectUri?: string
  readonly owner?: TestUser
}

/** A decision of a reviewer. */
export type Decision = "approve" | "reject" | "suspend" | "resume"

/** A browser that is signed in. */
export interface TestSession {
  readonly user: TestUser
  /** Header `cookie` of its requests. */
  readonly cookie: string
  /** Field `csrf` of its forms. */
  readonly csrf: string
}

/** A user of an app; both are made if they are not given. */
export interface Asking {
  readonly app?: TestApp
  readonly user?: TestUser
  /** Scopes to ask for; those of the app unless given. */
  readonly scopes?: ReadonlyArray<Scope>
  /** Optional scopes that the user unticks; none unless given. */
  readonly decline?: ReadonlyArray<Scope>
}

/** An answer of the authorization endpoint, which the browser takes to the app. */
export interface Authorized {
  readonly app: TestApp
  readonly user: TestUser
  /** Address at the app, with everything in its query. */
  readonly location: URL
  /** Authorization code; empty if there is an error instead. */
  readonly code: string
  readonly error: string | undefined
  /** Verifier of the code's challenge (RFC 7636). */
  readonly codeVerifier: string
}

/** Tokens as the token endpoint answered them. */
export interface TestTokens {
  readonly app: TestApp
  readonly user: TestUser
  readonly accessToken: string
  readonly refreshToken: string
  readonly scopes: ReadonlyArray<string>
  /** Seconds for which the access token is valid. */
  readonly expiresIn: number
  /** Seconds until the consent ends, however often the tokens are refreshed. */
  readonly authorizationExpiresIn: number
}
