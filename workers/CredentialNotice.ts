import { Effect, Layer, Option } from "effect"
import { IdentitySource } from "../src/core/accounts/IdentitySource.ts"
import { ClientRegistry } from "../src/core/clients/ClientRegistry.ts"
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
  const identities = yield* IdentitySource
  const post = yield* Post

  return Worker.layer({
    kind: CredentialNotice,
    concurrency: 4,
    handler: Effect.fn("CredentialNotice")(function*({ by, clientId, event, lastFour, userId }, job) {
      const owner = yield* identities.find(userId)
      if (Option.isNone(owner)) return yield* Effect.logInfo("The account is gone, so nobody is told")
      const client = clientId === null ? Option.none() : yield* clients.find(clientId)
      yield* post.send(
        job,
        owner.value,
        credentialText({
          event,
          app: Option.match(client, { onNone: () => "an app that was deleted", onSome: ({ name }) => inQuotes(name) }),
          lastFour,
          isOwn: by === userId,
          at: instantText(job.at, owner.value),
          page: clientId === null ? `${authUrl}/account` : `${authUrl}/settings/apps/${encodeURIComponent(clientId)}`
        })
      )
    })
  })
}))
