import { Array, DateTime, Effect, Layer, Redacted, Semaphore } from "effect"
import {
  AppConfig,
  CodeStore,
  type ConsentTerms,
  Credential,
  explainRefusal,
  GrantStore,
  type NewGrant,
  type Redemption,
  type RedemptionOutcome,
  type Scope,
  SecretCheck,
  type StoredCode
} from "../../../../src/index.ts"

interface Code extends StoredCode, Partial<ConsentTerms> {
  readonly scopes: Scope.GrantedScopes
  readonly grantExpiresAt?: DateTime.Utc | null
}

/** Authorization codes in the memory of a single process. */
export const OwnCodes = Layer.effect(
  CodeStore,
  Effect.gen(function*() {
    const { codeLifetime } = yield* AppConfig
    const grants = yield* GrantStore
    const secrets = yield* SecretCheck
    const codes = new Map<string, Code>()
    // Batches and withdrawals run one after the other.
    const oneAtATime = (yield* Semaphore.make(1)).withPermits(1)

    const issue: CodeStore["Service"]["issue"] = Effect.fnUntraced(function*(consent) {
      const code = yield* Credential.make("code")
      const now = yield* DateTime.now
      for (const [key, { expiresAt }] of codes) if (expiresAt <= DateTime.toDateUtc(now)) codes.delete(key)
      const expiresAt = DateTime.toDateUtc(DateTime.addDuration(now, codeLifetime))
      codes.set(keyOf(Credential.digest(Redacted.value(code))), { ...consent, expiresAt, grantId: null })
      return code
    })

    const redeem = Effect.fnUntraced(function*(batch: ReadonlyArray<Redemption>) {
      const now = yield* DateTime.now
      const clients = yield* secrets.lookUp(
        batch.map(({ clientId, secretDigest }) => ({ id: clientId, secretDigest }))
      )
      const spent: Array<NewGrant> = []
      const outcomes = Array.zipWith(batch, clients, (redemption, { authenticated, client }): RedemptionOutcome => {
        const { grantId, handleDigest } = redemption
        const key = keyOf(redemption.digest)
        const code = codes.get(key)
        const refusal = explainRefusal(redemption, code, DateTime.toDateUtc(now))
        // There is no other fault, so the request is valid if the client authenticated and is approved.
        const isValid = refusal._tag === "ClientNotAuthenticated" && authenticated && client?.status === "approved"
        if (!isValid || code === undefined) return refusal
        const { grantExpiresAt = null, scopes, userId } = code
        codes.set(key, { ...code, grantId })
        spent.push({ ...code, id: grantId, handleDigest, expiresAt: grantExpiresAt })
        return {
          _tag: "Redeemed",
          grantId,
          userId,
          scopes,
          migrated: client.migrated,
          openedAt: now,
          expiresAt: grantExpiresAt
        }
      })
      if (!Array.isReadonlyArrayNonEmpty(spent)) return outcomes
      // The codes are spent already, so a crash at this point loses them.
      const openedAt = yield* grants.open(spent)
      return outcomes.map((outcome) => outcome._tag === "Redeemed" ? { ...outcome, openedAt } : outcome)
    }, oneAtATime)

    const forget = (isMeant: (code: StoredCode) => boolean) =>
      oneAtATime(Effect.sync(() => {
        for (const [key, code] of codes) if (code.grantId === null && isMeant(code)) codes.delete(key)
      }))

    return CodeStore.of({
      issue,
      redeem,
      withdraw: (userId, clientId) =>
        forget((code) => code.userId === userId && (clientId === undefined || code.clientId === clientId)),
      withdrawAll: (clientId) => forget((code) => code.clientId === clientId),
      withdrawOf: (resource) => forget((code) => code.resource === resource)
    })
  })
)

const keyOf = (digest: Uint8Array): string => Buffer.from(digest).toString("hex")
