import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ClientDocuments } from "../../core/clients/documents/ClientDocuments.ts"
import { TrustedHosts } from "../../core/clients/documents/TrustedHosts.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"

/** Trusted hosts by API (`TrustedHostsApi`). */
export const TrustedHostsHandlers = HttpApiBuilder.group(
  Api,
  "trustedHosts",
  Effect.fn(function*(handlers) {
    const documents = yield* ClientDocuments
    const hosts = yield* TrustedHosts
    const base = (yield* Resources).baseScopesOf(null)

    return handlers.handleAll({
      list: byCaller(() => hosts.list),
      trust: byCaller((reviewer, { payload: { host } }) =>
        Effect.map(documents.trust(reviewer, host.toLowerCase(), base), (approved) => ({ approved }))
      ),
      end: byCaller(Effect.fnUntraced(function*(reviewer, { params: { host } }) {
        if (!(yield* hosts.end(reviewer, host.toLowerCase()))) return yield* notTrusted
        return null
      }))
    })
  })
)

const notTrusted = new NotFound({ code: "host_not_trusted", message: "This host is not trusted." })
