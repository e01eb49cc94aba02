import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { testName } from "../../../domain/names/TestName.ts"
import type { ManagedClient } from "../records/Client.ts"
import { type ReviewedVersion, reviewedVersionOf } from "../records/ReviewedFields.ts"
import { isTestable } from "../records/TestScopes.ts"

/**
 * What a test app has of its app: the version that its owner wants, reviewed or not. It has no logo, which nobody has
 * looked at, and no scope of the highest risk.
 */
export const testCopyOf = (catalogue: Catalogue, app: ManagedClient, playground: string): ReviewedVersion => {
  const wanted = reviewedVersionOf(app.change?.isWaiting ? app.change : app)
  const scopes = wanted.scopes.filter((scope) => isTestable(catalogue, scope))
  const optionalScopes = wanted.optionalScopes.filter((scope) => scopes.includes(scope))
  return {
    ...wanted,
    name: testName(wanted.name),
    logoUrl: null,
    logoDigest: null,
    redirectUris: testAddresses(wanted.redirectUris, playground),
    scopes,
    // At least one has to be required; where what was is too risky, all are.
    optionalScopes: optionalScopes.length === scopes.length ? [] : optionalScopes
  }
}

/**
 * Redirect URIs of a test app: the playground's, those of its app, and on the developer's machine, at any port
 * (`RedirectUri.matches`), the paths of both. The playground and one path on the machine find room among ten
 * (specification §8) in any case.
 */
export const testAddresses = (uris: ReadonlyArray<string>, playground: string): ReadonlyArray<string> => {
  const paths = new Set(
    uris.flatMap((uri) => /^https?:/i.test(uri) && URL.canParse(uri) ? [new URL(uri).pathname] : [])
  )
  const [first = [], ...more] = Array.from(paths.size === 0 ? ["/callback"] : paths, onThisMachine)
  return [...new Set([playground, ...first, ...uris, ...more.flat()])].slice(0, mostAddresses)
}

const onThisMachine = (path: string) => [`http://127.0.0.1${path}`, `http://localhost${path}`]

const mostAddresses = 10
