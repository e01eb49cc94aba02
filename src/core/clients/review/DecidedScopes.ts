import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Risk } from "../../../domain/catalogue/file/ScopeRisk.ts"
import { judge } from "../../../domain/catalogue/Judgement.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import type { ManagedClient } from "../records/Client.ts"

/** What a decision about an app is about: the scopes of the change of it that waits, else of the app. */
export const decidedScopes = ({ change, legacy, scopes }: ManagedClient): GrantedScopes => {
  const wanted = change?.isWaiting ? change.scopes : scopes
  return legacy && wanted.length === 0 ? null : wanted
}

/** Highest risk of them. */
export const riskOf = (catalogue: Catalogue, client: ManagedClient): Risk =>
  judge(catalogue, decidedScopes(client)).risk
