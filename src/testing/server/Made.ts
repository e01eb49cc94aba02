import { Effect, Option } from "effect"
import { NotFound } from "../../domain/ApiError.ts"
import type { TestApp, TestUser } from "../Fixtures.ts"
import type { StartingData } from "./StartingData.ts"

/** Users and apps that this server has made for a test, by their ids: commands name them so. */
export const make = ({ administrator, client, publicClient, user }: StartingData) => {
  const apps = new Map<string, TestApp>()
  const users = new Map<string, TestUser>()
  const putUser = (user: TestUser) => void users.set(user.id, user)
  const putApp = (app: TestApp) => {
    apps.set(app.clientId, app)
    putUser(app.owner)
  }
  const reset = () => {
    apps.clear()
    users.clear()
    for (const one of [client, publicClient]) putApp(one)
    for (const one of [user, administrator]) putUser(one)
  }
  reset()
  return {
    addApp: (app: TestApp) => Effect.sync(() => putApp(app)),
    addUser: (user: TestUser) => Effect.sync(() => putUser(user)),
    reset,
    app: (id: string) => found(apps.get(id), "app_not_found", `No command has made an app ${id}.`),
    user: (id: string) => found(users.get(id), "user_not_found", `No command has made a user ${id}.`)
  }
}

const found = <A>(made: A | undefined, code: string, message: string) =>
  Effect.mapError(Effect.fromOption(Option.fromUndefinedOr(made)), () => new NotFound({ code, message }))
