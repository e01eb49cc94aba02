import { Effect, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { Account, AppConfig, IdentitySource, SignInMethods } from "../../../src/index.ts"

/** What the program has of its own: its users, and the sessions of its browsers. */
export interface Platform {
  readonly users: ReadonlyArray<Account>
  /** Id of the user by the value of the cookie `platform_session`. */
  readonly sessions: ReadonlyMap<string, string>
}

/** Signs in the user who is signed in at the platform, and sends everybody else to its sign-in page. */
export const browserUsers = ({ sessions, users }: Platform) => {
  const find = (id: string | undefined) =>
    Effect.sync(() => Option.fromUndefinedOr(users.find((user) => user.id === id)))

  const Source = Layer.succeed(IdentitySource, {
    find,
    reviewers: Effect.sync(() => users.filter(({ mayReview }) => mayReview)),
    browserUser: ({ cookie = "" }) => find(sessions.get(/(?:^|; )platform_session=([^;]*)/.exec(cookie)?.[1] ?? ""))
  })

  const OwnSignIn = Layer.effect(
    SignInMethods,
    Effect.map(AppConfig, ({ authUrl }) => [{
      id: "platform",
      label: "the platform",
      begin: ({ returnTo }) => {
        // The platform's page sends the browser back here, where its cookie then says who it is.
        const next = new URLSearchParams({ next: `${authUrl}/sign-in?${new URLSearchParams({ return_to: returnTo })}` })
        return Effect.succeed(HttpServerResponse.redirect(`https://www.platform.example/login?${next}`))
      }
    }])
  )

  return Layer.merge(Source, OwnSignIn)
}
