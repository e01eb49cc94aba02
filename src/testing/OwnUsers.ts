import { Clock, Effect, type Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { IdentitySource } from "../core/accounts/people/IdentitySource.ts"
import type { AppConfig } from "../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../foundation/database/DatabaseClock.ts"
import type { TestUser, UserOptions } from "./Fixtures.ts"
import { sessions, type TestUsers } from "./TestUsers.ts"

/** Users of a program that embeds the server, with settings by their names in docs/operations/settings.md. */
export interface OwnUsers<A, E> {
  /** Its identity source, and what else it provides beneath the services. */
  readonly users: Layer.Layer<IdentitySource | A, E, AppConfig | DatabaseClock | SqlClient.SqlClient>
  /** Catalogue of its API: the path of the file, or what it holds. */
  readonly catalogue?: string | object
  readonly [setting: Uppercase<string>]: string
}

/** Users of an identity source that is not ours: a test names them by their ids, and the source makes none for it. */
export const make: Effect.Effect<TestUsers, never, IdentitySource | Effect.Services<typeof sessions>> = Effect.gen(
  function*() {
    const source = yield* IdentitySource
    const clock = yield* Clock.Clock

    const find = Effect.fn("TestServer.user")(function*({ id, organization, role }: UserOptions) {
      if (organization !== undefined) {
        return yield* Effect.die(new TypeError("organization is for a local account: your identity source says it"))
      }
      const found = id === undefined ? Option.fromUndefinedOr((yield* source.reviewers)[0]) : yield* source.find(id)
      if (Option.isNone(found)) {
        return yield* Effect.die(new Error(id === undefined ? noReviewer : `The identity source finds no user ${id}`))
      }
      const { email, id: userId, name, role: has, username } = found.value
      if (role !== undefined && role !== has && !(role === "reviewer" && found.value.mayReview)) {
        return yield* Effect.die(new Error(`The user ${userId} of the identity source is ${has}, and not ${role}`))
      }
      return { id: userId, email, name, role: has, username, password: "" } satisfies TestUser
    }, Effect.provideService(Clock.Clock, clock))

    return { user: (options: UserOptions = {}) => find(options), session: yield* sessions }
  }
)

const noReviewer =
  "The identity source has no reviewer, whom the test kit takes where a test names nobody: name a user by its id"
