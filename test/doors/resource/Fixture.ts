import { DateTime, Effect, Layer } from "effect"
import { AccessCheck, type Principal } from "../../../src/core/tokens/AccessCheck.ts"
import { InvalidToken } from "../../../src/core/tokens/InvalidToken.ts"
import { UsageNotes } from "../../../src/core/usage/UsageNotes.ts"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { EndpointPolicy } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import { ClientId, GrantId, UserId } from "../../../src/domain/Ids.ts"
import { TemporarilyUnavailable } from "../../../src/domain/OAuthError.ts"
import { Admission } from "../../../src/doors/resource/Admission.ts"
import { Guard } from "../../../src/doors/resource/Guard.ts"

export const principal = (scopes: Principal["scopes"]): Principal => ({
  userId: UserId.make("ümit@idp/7"),
  clientId: ClientId.make("client_1"),
  grantId: GrantId.make("01900000-0000-7000-8000-000000000001"),
  scopes,
  audience: "https://slotkey.test",
  id: "b6e0a6f6-9f4c-4b5e-9d4c-5a3f3e1c7b11",
  issuedAt: DateTime.makeUnsafe("2026-01-01T00:00:00Z"),
  expiresAt: DateTime.makeUnsafe("2026-01-01T00:30:00Z")
})

/** A check whose tokens are `all`, `legacy` and the names of the scopes; `busy` and `away` make it fail. */
export const AccessCheckMock = Layer.mock(AccessCheck, {
  check: (bearer) => {
    if (bearer === "busy") return Effect.fail(new TemporarilyUnavailable({ error_description: "full" }))
    if (bearer === "away") return Effect.die(new Error("the database is away"))
    if (bearer === "all") return Effect.succeed(principal(catalogue))
    if (bearer === "legacy") return Effect.succeed(principal(null))
    const scope = catalogue.find((name) => name === bearer)
    return scope === undefined
      ? Effect.fail(new InvalidToken({ reason: "revoked" }))
      : Effect.succeed(principal([scope]))
  }
})

export const AdmissionMock = Admission.layerAt("https://slotkey.test").pipe(Layer.provide(AccessCheckMock))

/** Clients whose refused calls were reported. */
export const refused: Array<string> = []

const UsageNotesMock = Layer.succeed(UsageNotes, {
  looksUp: true,
  note: ({ clientId, operation, outcome }) => {
    refused.push(`${clientId} ${outcome} ${operation?.method} ${operation?.path}`)
  }
})

/** Same as `GuardMock` on a server that counts what it refuses. */
export const CountingGuardMock = Guard.layer.pipe(
  Layer.provide([AdmissionMock.pipe(Layer.provide(UsageNotesMock)), EndpointPolicy.layer])
)

export const GuardMock = Guard.layer.pipe(Layer.provide([AdmissionMock, EndpointPolicy.layer]))
