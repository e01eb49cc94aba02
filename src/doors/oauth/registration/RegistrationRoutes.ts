import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { metadataReader } from "../../../core/clients/dynamic/ClientMetadata.ts"
import { DynamicRegistration } from "../../../core/clients/dynamic/DynamicRegistration.ts"
import { CallerAddress } from "../../../core/limits/CallerAddress.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../../foundation/http/ClientAddress.ts"
import { preflight } from "../../../foundation/http/Cors.ts"
import { registrationPath } from "../ServerMetadata.ts"
import { namesOf, type Supported, supported } from "../Supported.ts"
import { bearerOf, readJson, readUpdate, requireBearer } from "./RegistrationRequest.ts"
import { answer, clientInformation, information, newClientInformation, removed } from "./RegistrationResponse.ts"

/**
 * Dynamic registration (RFC 7591) and its management (RFC 7592), for clients in browsers of any origin, too. There is
 * no such address where `DYNAMIC_REGISTRATION` is off.
 */
export const registrationRoutes = ({ clientAuthenticationMethods, grantTypes }: Supported) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const config = yield* AppConfig
    const { baseUrl, dynamicRegistration, redirectSchemes } = config
    if (dynamicRegistration === "off") return
    const registration = yield* DynamicRegistration
    const readMetadata = metadataReader({
      schemes: redirectSchemes,
      grantTypes: namesOf(grantTypes),
      authMethods: namesOf(clientAuthenticationMethods)
    })

    const register = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const token = yield* bearerOf(request)
      const body = yield* readJson(request)
      const made = yield* Effect.provideService(
        registration.register(token, readMetadata(body)),
        CallerAddress,
        clientAddress(config, request)
      )
      return information(201, newClientInformation(baseUrl, made))
    })

    const clientId = Effect.map(HttpRouter.params, ({ id = "" }) => id)

    const read = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const token = yield* requireBearer(request)
      return information(200, clientInformation(baseUrl, yield* registration.read(yield* clientId, token), token))
    })

    const replace = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const token = yield* requireBearer(request)
      const id = yield* clientId
      // Before the transaction, which must not wait for a slow sender.
      const body = yield* readJson(request)
      const replaced = yield* registration.replace(id, token, readUpdate(body, id, readMetadata))
      return information(200, clientInformation(baseUrl, replaced, token))
    })

    const remove = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const token = yield* requireBearer(request)
      yield* registration.remove(yield* clientId, token)
      return removed
    })

    const managed = `${registrationPath}/:id` as const
    yield* router.add("POST", registrationPath, (request) => answer(register(request)))
    yield* router.add("GET", managed, (request) => answer(read(request)))
    yield* router.add("PUT", managed, (request) => answer(replace(request)))
    yield* router.add("DELETE", managed, (request) => answer(remove(request)))
    yield* router.add("OPTIONS", registrationPath, preflight("POST"))
    yield* router.add("OPTIONS", managed, preflight("GET, PUT, DELETE"))
  }))

export const RegistrationRoutes = registrationRoutes(supported)
