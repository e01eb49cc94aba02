import { Effect } from "effect"
import { Catalogue } from "../src/domain/catalogue/Catalogue.ts"
import type { GrantedScopes } from "../src/domain/scopes/Scope.ts"
import { NewConnection } from "../src/foundation/jobs/kinds/NewConnection.ts"
import * as UserMail from "./UserMail.ts"

export const worker = UserMail.make(
  NewConnection,
  "a mail to a user who connected an app",
  Effect.fn("NewConnection")(function*({ clientId, scopes }, { at, authUrl }) {
    const app = yield* UserMail.appName(clientId)
    const catalogue = yield* Catalogue
    return {
      subject: `You connected ${app}`,
      lines: [
        `On ${at} you allowed ${app} to act for you.`,
        permission(catalogue, scopes),
        "If that was not you, disconnect the app and change your password.",
        `Your connected apps: ${authUrl}/connections`
      ]
    }
  })
)

const permission = ({ alsoGranted, describe }: Catalogue, scopes: GrantedScopes): string =>
  scopes === null
    ? "It may do whatever you can do yourself, because it does not say what it needs."
    : ["It may:", ...[...scopes, ...alsoGranted(scopes)].map((scope) => `- ${describe(scope).title} (${scope})`)].join(
      "\n"
    )
