import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import {
  Account,
  AppConfig,
  databaseLayer,
  IdentitySource,
  Services,
  StandaloneRoutes,
  UserId
} from "../../../src/index.ts"

const person = (id: string, name: string, role: "user" | "reviewer" | "admin") =>
  new Account({
    id: UserId.make(id),
    email: `${id}@platform.example`,
    emailVerified: true,
    username: id,
    name,
    role,
    avatarUrl: null,
    bio: null,
    timeFormat: 24,
    defaultScheduleId: null,
    weekStart: "Monday",
    timeZone: "Europe/Berlin",
    locale: "en",
    organizationId: null,
    createdAt: DateTime.makeUnsafe("2026-01-01T00:00:00Z")
  })

// Stands in for the platform's own tables, or for a call to its user service.
const people = [person("petra", "Petra Platform", "admin"), person("paul", "Paul Platform", "user")]
const passwords = new Map([["petra@platform.example", "a garden in june"], [
  "paul@platform.example",
  "rain on the roof"
]])

/** Platform's users. */
export const Users = Layer.succeed(IdentitySource, {
  authenticate: (email, password) =>
    Effect.sync(() =>
      Option.fromUndefinedOr(
        people.find((one) => one.email === email && passwords.get(email) === Redacted.value(password))
      )
    ),
  find: (userId) => Effect.sync(() => Option.fromUndefinedOr(people.find(({ id }) => id === userId))),
  reviewers: Effect.sync(() => people.filter(({ mayReview }) => mayReview))
})

/** A server for these users. Needs an `HttpServer`. */
export const Server = HttpRouter.serve(StandaloneRoutes).pipe(
  Layer.provide(Services),
  Layer.provide(Users),
  Layer.provide(databaseLayer),
  Layer.provide(AppConfig.layer)
)
