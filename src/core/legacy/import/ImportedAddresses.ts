import type { ClientKind } from "../../clients/records/ClientKind.ts"
import * as RedirectUri from "../../clients/records/RedirectUri.ts"
import type { ImportOptions } from "./ImportedClient.ts"
import type { PartReport } from "./ImportGrounds.ts"
import { quoted } from "./ImportRecord.ts"

/** Report on the redirect URIs of an app. */
export interface AddressReport extends PartReport {
  /** Number of those that stand for several addresses, kept or not: they match no request. */
  readonly patterns: number
}

/**
 * Judges redirect URIs by the rules of a registration. The operator may have those kept that work although they could
 * not be registered here, and, by another option, patterns and lists, which work for nobody before their owner replaces
 * them.
 */
export const judgeAddresses = (
  kind: ClientKind,
  uris: ReadonlyArray<string>,
  { keepsPatterns = false, keepsRedirectUris = false, redirectSchemes }: ImportOptions
): AddressReport => {
  const faults: Array<string> = []
  const notes: Array<string> = []
  for (const { message, path } of RedirectUri.faultsOf(kind, uris, redirectSchemes)) {
    const at = Number(path.split(".")[1])
    const uri = uris[at] ?? ""
    const isPattern = RedirectUri.isPattern(uri)
    const text = `redirect_uris.${at} ${quoted(uri)} ${message}`
    const isWanted = isPattern ? keepsPatterns : keepsRedirectUris
    if (!isWanted || RedirectUri.keptProblem(uri) !== undefined) faults.push(text)
    else notes.push(isPattern ? `${text}: kept, for its owner to mend` : `${text}: kept until its owner's next edit`)
  }
  return { faults, notes, patterns: uris.filter(RedirectUri.isPattern).length }
}
