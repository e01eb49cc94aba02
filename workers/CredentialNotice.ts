import { Effect, Layer, Option } from "effect"
import { ClientRegistry } from "../src/core/clients/life/ClientRegistry.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { inQuotes } from "../src/domain/Text.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { CredentialNotice } from "../src/foundation/jobs/kinds/CredentialNotice.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { credentialText } from "./CredentialTexts.ts"
import { Post } from "./Post.ts"

/** Mails owners about a secret or an API key that was made or revoked. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const clients = yield* ClientRegistry
  const post = yield* Post

  return Worker.layer({
    kind: CredentialNotice,
    concurrency: 4,
    handler: Effect.fn("CredentialNotice")(({ by, clientId, event, lastFour, userId }, job) =>
      post.sendTo(job, userId, (owner) =>
        Effect.gen(function*() {
          const client = clientId === null ? Option.none() : yield* clients.find(clientId)
          return credentialText({
            event,
            app: Option.match(client, {
              onNone: () => "an app that was deleted",
              onSome: ({ name }) => inQuotes(name)
            }),
            lastFour,
            isOwn: by === userId,
            at: instantText(job.at, owner),
            page: clientId === null ? `${authUrl}/account` : `${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
          })
        }))
    )
  })
}))
