import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../core/accounts/local/Accounts.ts"
import { GuessablePasswords } from "../core/accounts/local/GuessablePasswords.ts"
import { Passwords } from "../core/accounts/local/Passwords.ts"
import { Role } from "../core/accounts/people/Account.ts"
import { Sessions } from "../core/accounts/people/Sessions.ts"
import { HashQueue } from "../core/limits/HashQueue.ts"
import { cookieName } from "../doors/session/SessionCookie.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { checkChoice } from "./Choice.ts"
import type { TestSession, TestUser, UserOptions } from "./Fixtures.ts"
import { orDefect } from "./OrDefect.ts"

const password = "correct horse battery staple"

/**
 * Accounts without an examination of their passwords: all of them get the same, and need no dictionary for it. Fresh,
 * because the server has built its own with one.
 */
const Unexamined = Layer.fresh(
  Accounts.layer.pipe(
    Layer.provide(Passwords.layerNoDeps),
    Layer.provide([HashQueue.layer, Layer.succeed(GuessablePasswords, { isGuessable: () => Effect.succeed(false) })])
  )
)

/** Users of a test server with local accounts, by its clock. */
export const make = Effect.gen(function*() {
  const accounts = Context.get(yield* Layer.build(Unexamined), Accounts)
  const clock = yield* Clock.Clock
  const sql = yield* SqlClient.SqlClient
  let made = 0

  const create = Effect.fn("TestServer.user")(function*({ id: named, organization, ...options }: UserOptions) {
    made += 1
    if (named !== undefined) {
      return yield* Effect.die(new TypeError("id names a user of your own identity source, and there is none"))
    }
    yield* checkChoice("role", options.role ?? "user", Role.literals)
    const { email, id, name, role, username } = yield* orDefect(accounts.create({
      email: `user-${made}@example.com`,
      name: `User ${made}`,
      ...options,
      password: Redacted.make(password)
    }))
    if (organization !== undefined) {
      const { decides = false, name } = organization
      yield* Effect.orDie(sql`UPDATE accounts SET organization_name = ${name}, decides_for_organization = ${decides}
        WHERE id = ${id}`)
    }
    return { id, email, name, role, username, password } satisfies TestUser
  }, Effect.provideService(Clock.Clock, clock))

  return { user: (options: UserOptions = {}) => create(options), session: yield* sessions } satisfies TestUsers
})

/** Signs browsers in, wherever the users are kept. */
export const sessions = Effect.gen(function*() {
  const sessions = yield* Sessions
  const config = yield* AppConfig
  const clock = yield* Clock.Clock

  return Effect.fn("TestServer.session")(function*(user: TestUser) {
    const token = Redacted.value(yield* sessions.start(user.id))
    const { csrf } = Option.getOrThrow(yield* sessions.find(token))
    return { user, cookie: `${cookieName(config)}=${token}`, csrf } satisfies TestSession
  }, Effect.provideService(Clock.Clock, clock))
})

export interface TestUsers {
  readonly user: (options?: UserOptions) => Effect.Effect<TestUser>
  readonly session: (user: TestUser) => Effect.Effect<TestSession>
}
