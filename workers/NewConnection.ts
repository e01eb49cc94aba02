import { Effect, Layer } from "effect"
import { describe } from "../src/domain/scopes/Description.ts"
import type { GrantedScopes } from "../src/domain/scopes/Scope.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import * as UserNotice from "./UserNotice.ts"

/** Mails a user that an app was connected to the account. */
export const layer = Layer.unwrap(Effect.map(UserNotice.mailer, (send) =>
  Worker.layer({
    kind: NewConnection,
    concurrency: 4,
    handler: (payload, job) =>
      send(payload, job, (app, at) => ({
        subject: `You connected ${app}`,
        lines: [
          `On ${at} you allowed ${app} to act for you.`,
          permission(payload.scopes),
          "If that was not you, disconnect the app and change your password."
        ]
      }))
  })))

const permission = (scopes: GrantedScopes): string =>
  scopes === null
    ? "It may do whatever you can do yourself, because it does not say what it needs."
    : ["It may:", ...scopes.map((scope) => `- ${describe(scope).title} (${scope})`)].join("\n")
