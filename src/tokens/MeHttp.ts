import { Effect, Option, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { IdentitySource } from "../accounts/IdentitySource.ts"
import { Api } from "../Api.ts"
import { AppConfig } from "../AppConfig.ts"
import { succeed } from "../http/Envelope.ts"
import { invalidToken } from "../resource/Denied.ts"
import { metadataUrl } from "../resource/Metadata.ts"
import { Caller } from "../resource/RequireScope.ts"
import { profile } from "./MeApi.ts"

export const MeHandlers = HttpApiBuilder.group(
  Api,
  "me",
  Effect.fn(function*(handlers) {
    const identities = yield* IdentitySource
    const resourceMetadata = metadataUrl((yield* AppConfig).baseUrl)

    return handlers.handle(
      "read",
      Effect.fnUntraced(function*() {
        const { userId } = yield* Caller
        const account = yield* identities.find(userId)
        if (Option.isNone(account)) return yield* invalidToken(resourceMetadata)
        return HttpServerResponse.jsonUnsafe(succeed(Struct.pick(account.value, profile)), {
          headers: { "cache-control": "no-store" }
        })
      })
    )
  })
)
