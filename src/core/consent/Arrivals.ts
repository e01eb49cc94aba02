import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { ClientDocuments, type DocumentRefused, isDocumentId } from "../clients/documents/ClientDocuments.ts"
import { Client, isWithoutOwner, type ManagedClient } from "../clients/records/Client.ts"
import { ClientsRepo } from "../clients/records/ClientsRepo.ts"
import type { ReviewWish, WaitingRequest } from "../clients/review/ReviewWish.ts"
import { ReviewWishes } from "../clients/review/ReviewWishes.ts"
import { Resources } from "../resources/Resources.ts"
import {
  queryOf,
  readRequest,
  Unredirectable,
  type UnvalidatedRequest,
  validateRequest
} from "./AuthorizationRequest.ts"
import { findResource } from "./FindResource.ts"
import { withScope } from "./NamedResource.ts"
import { type Standing, standingOf } from "./Standing.ts"

/** A request of an app that was never approved has a mistake, which no app may learn. */
export class RequestFaulty extends Schema.TaggedError<RequestFaulty>()("RequestFaulty", {
  client: Schema.optionalKey(Client),
  /** Mistake in English, for support. */
  cause: Schema.String
}) {}

/** A kept request, and how far reviewers are with what it asks for. */
export interface Awaited {
  readonly request: WaitingRequest
  readonly client: ManagedClient
  readonly sent: UnvalidatedRequest
  readonly scopes: ReadonlyArray<ScopeName>
  readonly standing: Standing
  readonly wish: ReviewWish | undefined
}

/**
 * Requests of apps that nobody registered, on their way to consent: such an app, or what it asks for more, waits for
 * review first, and so does its user. The authorization endpoint and the waiting page call it.
 */
export class Arrivals extends Context.Service<Arrivals, {
  /** Tells whether the app of a request is one of these, or could be. */
  isAwaited(clientId: string): Effect.Effect<boolean>
  /**
   * Introduces the app of a request to the reviewers, if it is new, and answers it when its user may be asked; else the
   * request, which is kept.
   */
  arrive(
    userId: UserId,
    sent: UnvalidatedRequest,
    location: string
  ): Effect.Effect<
    { readonly _tag: "Usable"; readonly client: Client } | {
      readonly _tag: "Awaited"
      readonly request: WaitingRequest
    },
    DocumentRefused | RequestFaulty | Unredirectable
  >
  /** How far it is with a kept request; nothing once its app is gone. */
  look(request: WaitingRequest): Effect.Effect<Option.Option<Awaited>>
}>()("slotkey/core/consent/Arrivals") {
  static readonly layer = Layer.effect(
    Arrivals,
    Effect.gen(function*() {
      const catalogue = yield* Catalogue
      const { legacyScopeWords } = yield* AppConfig
      const clients = yield* ClientsRepo
      const documents = yield* ClientDocuments
      const namedBy = yield* findResource
      const resources = yield* Resources
      const wishes = yield* ReviewWishes

      const isAwaited = Effect.fn("Arrivals.isAwaited")(function*(clientId: string) {
        const known = yield* clients.find(clientId)
        return Option.match(known, { onNone: () => isDocumentId(clientId), onSome: isWithoutOwner })
      })

      const scopesOf = ({ parameters }: UnvalidatedRequest) => catalogue.parse(parameters.get("scope") ?? "")

      /** Mistake in a request, whatever scopes its app may ask for. */
      const faultOf = Effect.fnUntraced(function*(client: Client, sent: UnvalidatedRequest) {
        const scopes = Result.getOrElse(scopesOf(sent), () => client.scopes)
        const asWished = new Client({ ...client, scopes })
        const named = yield* namedBy(sent)
        const valid = validateRequest(catalogue, asWished, sent, named, legacyScopeWords, yield* DateTime.now)
        return Result.isFailure(valid) ? valid.failure.error.error_description : undefined
      })

      const introduce = Effect.fnUntraced(function*(userId: UserId, sent: UnvalidatedRequest) {
        const { clientId } = sent
        const known = yield* clients.find(clientId)
        if (!isDocumentId(clientId)) return yield* Effect.fromOption(known)
        const scopes = scopesOf(sent)
        const isApproved = Option.exists(known, ({ status }) => status === "approved")
        if (!isApproved && (Result.isFailure(scopes) || scopes.success.length === 0)) {
          return yield* new RequestFaulty({ cause: "scope is missing, or names what does not exist" })
        }
        const named = Result.getOrElse(yield* namedBy(sent), () => null)
        return yield* documents.introduce(
          clientId,
          userId,
          Result.getOrElse(scopes, () => []),
          resources.baseScopesOf(named)
        )
      })

      const arrive = Effect.fn("Arrivals.arrive")(
        function*(userId: UserId, given: UnvalidatedRequest, location: string) {
          const sent = withScope(given, yield* namedBy(given))
          const introduced = yield* introduce(userId, sent)
          const client = yield* Effect.flatMap(clients.get(introduced.id), Effect.fromOption)
          const usable = { _tag: "Usable" as const, client: introduced }
          const scopes = scopesOf(sent)
          // An app that is approved hears of its mistakes by a redirect.
          const hasFault = Result.isFailure(scopes) || (yield* faultOf(client, sent)) !== undefined
          if (client.status === "approved" && hasFault) return usable
          const asked = {
            redirectUri: sent.redirectUri,
            scopes: Result.getOrElse(scopes, () => []),
            keptAt: yield* DateTime.now
          }
          const wish = yield* wishes.find(userId, client.id)
          const standing = standingOf(catalogue, client, asked, Option.getOrUndefined(wish))
          if (standing._tag === "Usable") return usable
          if (standing._tag === "Unusable") return yield* new Unredirectable({ reason: standing.reason, client })
          const fault = yield* faultOf(client, sent)
          if (fault !== undefined && client.status === "pending") {
            return yield* new RequestFaulty({ client, cause: fault })
          }
          return { _tag: "Awaited" as const, request: yield* wishes.keep(userId, client.id, location) }
        },
        Effect.catchTag("NoSuchElementError", () => Effect.fail(new Unredirectable({ reason: "client-unknown" })))
      )

      const look = Effect.fn("Arrivals.look")(function*(request: WaitingRequest) {
        const client = yield* clients.get(request.clientId)
        const read = readRequest(queryOf(request.location))
        if (Option.isNone(client) || Result.isFailure(read)) return Option.none<Awaited>()
        const sent = withScope(read.success, yield* namedBy(read.success))
        const scopes = Result.getOrElse(scopesOf(sent), () => [])
        const wish = Option.getOrUndefined(yield* wishes.find(request.userId, request.clientId))
        const asked = { redirectUri: sent.redirectUri, scopes, keptAt: request.keptAt }
        return Option.some<Awaited>({
          request,
          client: client.value,
          sent,
          scopes,
          wish,
          standing: standingOf(catalogue, client.value, asked, wish)
        })
      })

      return Arrivals.of({ isAwaited, arrive, look })
    })
  )
}
