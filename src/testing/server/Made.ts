import { Effect } from "effect"
import { NotFound } from "../../domain/ApiError.ts"
import type { TestApp, TestUser } from "../Fixtures.ts"
import type { StartingData } from "./StartingData.ts"

/** Users and apps that this server has made for a test, by their ids: commands name them so. */
export class Made {
  readonly #start: StartingData
  readonly #apps = new Map<string, TestApp>()
  readonly #users = new Map<string, TestUser>()

  constructor(start: StartingData) {
    this.#start = start
    this.reset()
  }

  reset(): void {
    const { administrator, client, publicClient, user } = this.#start
    this.#apps.clear()
    this.#users.clear()
    for (const one of [client, publicClient]) this.addApp(one)
    for (const one of [user, administrator]) this.addUser(one)
  }

  addApp(app: TestApp): void {
    this.#apps.set(app.clientId, app)
    this.addUser(app.owner)
  }

  addUser(user: TestUser): void {
    this.#users.set(user.id, user)
  }

  app(id: string): Effect.Effect<TestApp, NotFound> {
    const app = this.#apps.get(id)
    return app === undefined
      ? Effect.fail(new NotFound({ code: "app_not_found", message: `No command has made an app ${id}.` }))
      : Effect.succeed(app)
  }

  user(id: string): Effect.Effect<TestUser, NotFound> {
    const user = this.#users.get(id)
    return user === undefined
      ? Effect.fail(new NotFound({ code: "user_not_found", message: `No command has made a user ${id}.` }))
      : Effect.succeed(user)
  }
}
