import { Schema } from "effect"
import { RefreshGrace } from "../../../src/core/clients/records/RefreshGrace.ts"

const App = Schema.Literals([0, 1])

/** Place among the codes or tokens so far, counted back from the newest (0), which is chosen most often. */
const Back = Schema.Literals([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 5, 8])

const Authorize = Schema.TaggedStruct("Authorize", { app: App })
const Exchange = Schema.TaggedStruct("Exchange", {
  code: Back,
  fault: Schema.Literals(["none", "none", "none", "none", "app", "secret", "redirect", "verifier"])
})
const Refresh = Schema.TaggedStruct("Refresh", {
  token: Back,
  fault: Schema.Literals(["none", "none", "none", "none", "none", "none", "app", "secret", "scope"]),
  /** Workers of one app that come at the same time, or a thief among them. */
  times: Schema.Literals([1, 1, 3]),
  /** The answers get lost: their tokens never reach the app. */
  lost: Schema.Literals([false, false, false, true])
})
/**
 * A refresh after which the replaced token comes again: from a worker whose answer got lost, or from a thief. Meanwhile
 * the app may have used what it got.
 */
const Shadow = Schema.TaggedStruct("Shadow", {
  token: Schema.Literals([0, 0, 1]),
  used: Schema.Boolean,
  seconds: Schema.Literals([1, 28, 29, 30, 120, 598, 599, 600])
})
/**
 * Calls of a naive app, or of one with a thief beside it: each refreshes with the newest token or one a little older.
 */
const Burst = Schema.TaggedStruct("Burst", {
  calls: Schema.Array(
    Schema.Struct({ token: Schema.Literals([0, 0, 1, 1, 2, 3]), seconds: Schema.Literals([0, 0, 0, 1, 10, 20]) })
  ).check(Schema.isMaxLength(8))
})
const Check = Schema.TaggedStruct("Check", { token: Back })
const Rare = Schema.Union([
  Schema.TaggedStruct("Revoke", { token: Back, byOther: Schema.Boolean }),
  Schema.TaggedStruct("Disconnect", { app: App }),
  Schema.TaggedStruct("Suspend", { app: App }),
  Schema.TaggedStruct("Resume", { app: App }),
  Schema.TaggedStruct("ChooseGrace", { app: App, grace: RefreshGrace })
])
const Wait = Schema.TaggedStruct("Wait", {
  seconds: Schema.Literals([1, 10, 15, 29, 29, 30, 30, 30, 31, 59, 60, 120, 569, 599, 600, 1770, 1799, 1800])
})

/** Commands that may happen to two apps and one user, in any order; frequent ones are listed more than once. */
export const Command = Schema.Union([
  Authorize,
  Authorize,
  Exchange,
  Exchange,
  Exchange,
  Refresh,
  Refresh,
  Refresh,
  Refresh,
  Shadow,
  Shadow,
  Burst,
  Check,
  Wait,
  Wait,
  Rare
])
export type Command = typeof Command.Type
export type RefreshCommand = typeof Refresh.Type

/** Lifetimes with which the server under test runs, in seconds. */
export const lifetimes = {
  code: 60,
  repeatedCode: 10,
  grace: 30,
  graceMax: 600,
  idle: 1800,
  grant: 5400,
  accessToken: 1800
} as const
export const environment = {
  CODE_LIFETIME: `${lifetimes.code} seconds`,
  REFRESH_GRACE: `${lifetimes.grace} seconds`,
  REFRESH_GRACE_MAX: `${lifetimes.graceMax} seconds`,
  GRANT_IDLE_LIFETIME: `${lifetimes.idle} seconds`,
  GRANT_LIFETIME: `${lifetimes.grant} seconds`
}

interface Grant {
  readonly app: number
  generation: number
  /** Last generation whose use was noted. */
  used: number
  readonly createdAt: number
  rotatedAt: number
  /** When each generation was replaced. */
  readonly replacedAt: Array<number>
  /** Last generation that a repeat within the grace was answered with. */
  repeated: number
  revoked: boolean
}

interface Code {
  readonly app: number
  readonly issuedAt: number
  withdrawn: boolean
  grant: Grant | undefined
}

export interface RefreshToken {
  readonly grant: Grant
  readonly generation: number
}

export interface AccessToken {
  readonly grant: Grant
  readonly generation: number
  readonly issuedAt: number
}

/**
 * Answer that the server should give. `Tokens` names a refresh token by its contents, so that repeats are recognised.
 */
export type Expected =
  | { readonly _tag: "Tokens"; readonly refreshToken: RefreshToken; readonly accessToken: AccessToken }
  | { readonly _tag: "Refused"; readonly status: number; readonly error: string }

/** Rules of `docs/design.md` (sections 3 and 4), written once more in the plainest way. */
export class Model {
  now = 0
  readonly codes: Array<Code> = []
  readonly grants: Array<Grant> = []
  readonly suspended: [boolean, boolean] = [false, false]
  readonly graces: [RefreshGrace, RefreshGrace] = ["until-used", "short"]
  reuses = 0

  authorize(app: number): void {
    this.codes.push({ app, issuedAt: this.now, withdrawn: false, grant: undefined })
  }

  exchange(code: Code, fault: string): Expected {
    if (fault === "secret") return invalidClient
    const app = fault === "app" ? 1 - code.app : code.app
    if (this.suspended[app]) return unauthorizedClient
    if (fault !== "none" || code.withdrawn || this.now >= code.issuedAt + lifetimes.code) return invalidGrant
    if (code.grant !== undefined) {
      if (this.now >= code.grant.createdAt + lifetimes.repeatedCode) code.grant.revoked = true
      return invalidGrant
    }
    const grant: Grant = {
      app,
      generation: 0,
      used: 0,
      createdAt: this.now,
      rotatedAt: this.now,
      replacedAt: [],
      repeated: 0,
      revoked: false
    }
    code.grant = grant
    this.grants.push(grant)
    return this.#tokens(grant)
  }

  /**
   * Between the grace and twice the grace after its replacement, a token that is not the last one replaced may be taken
   * for either: the model follows the server.
   */
  refresh({ generation, grant }: RefreshToken, fault: string, wasRefused: boolean): Expected {
    if (fault === "secret") return invalidClient
    if (this.suspended[fault === "app" ? 1 - grant.app : grant.app]) return unauthorizedClient
    if (fault === "app" || !this.isLive(grant)) return invalidGrant
    if (fault === "scope") return invalidScope
    const isWithinGrace = this.now < grant.rotatedAt + lifetimes.grace
    const isKept = grant.repeated === generation && generation > 0 && isWithinGrace
    if (generation === grant.generation && !isKept) {
      grant.replacedAt.push(this.now)
      grant.generation++
      grant.rotatedAt = this.now
      return this.#tokens(grant)
    }
    const age = this.now - (grant.replacedAt[generation] ?? this.now)
    const isLast = generation === grant.generation - 1
    const isUnclear = !isLast && age >= lifetimes.grace && age < 2 * lifetimes.grace
    if (isUnclear ? !wasRefused : age < (isLast ? this.#grace(grant) : lifetimes.grace)) {
      if (isWithinGrace) {
        grant.repeated = grant.generation
        grant.used = Math.max(grant.used, generation)
      }
      return this.#tokens(grant)
    }
    grant.revoked = true
    this.reuses++
    return invalidGrant
  }

  revoke({ grant }: RefreshToken, byOther: boolean): void {
    if (!byOther) grant.revoked = true
  }

  disconnect(app: number): void {
    for (const grant of this.grants) if (grant.app === app) grant.revoked = true
    for (const code of this.codes) if (code.app === app && code.grant === undefined) code.withdrawn = true
  }

  /** Tells whether the access token opens `/v2/me`. */
  admits({ grant, issuedAt }: AccessToken): boolean {
    return this.now < issuedAt + lifetimes.accessToken && this.isLive(grant) && !this.suspended[grant.app]
  }

  isLive(grant: Grant): boolean {
    return !grant.revoked && this.now < grant.createdAt + lifetimes.grant && this.now < grant.rotatedAt + lifetimes.idle
  }

  /** Uses an access token; answers whether that is the first use of the current generation, which is noted. */
  use(token: AccessToken): boolean {
    const { generation, grant } = token
    if (!this.admits(token) || generation !== grant.generation || generation <= grant.used) return false
    grant.used = generation
    return true
  }

  #grace({ app, generation, used }: Grant): number {
    return this.graces[app] === "until-used" && used < generation ? lifetimes.graceMax : lifetimes.grace
  }

  #tokens(grant: Grant): Expected {
    return {
      _tag: "Tokens",
      refreshToken: { grant, generation: grant.generation },
      accessToken: { grant, generation: grant.generation, issuedAt: this.now }
    }
  }
}

const refused = (status: number, error: string): Expected => ({ _tag: "Refused", status, error })
const invalidClient = refused(401, "invalid_client")
const unauthorizedClient = refused(400, "unauthorized_client")
const invalidGrant = refused(400, "invalid_grant")
const invalidScope = refused(400, "invalid_scope")
