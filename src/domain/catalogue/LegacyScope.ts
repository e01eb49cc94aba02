import { Result } from "effect"
import type { GrantedScopes } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"

// The old server knew none of our scopes, took any word in `scope`, and gave everything (specification §5.6). While an
// app is a legacy app, such words count for nothing.

/**
 * Scopes that a legacy app names; `null`, which is everything, when all it names are words of the old server. Fails
 * with the words that look like a scope mistyped, except those that the old server is known to have taken.
 */
export const readLegacy = (
  catalogue: Catalogue,
  text: string,
  listed: ReadonlySet<string>
): Result.Result<GrantedScopes, ReadonlyArray<string>> => {
  const { scopes, words } = catalogue.named(text)
  const mistyped = words.filter((word) => !listed.has(word) && isMistyped(catalogue, word))
  if (mistyped.length > 0) return Result.fail(mistyped)
  return Result.succeed(scopes.length > 0 ? scopes : null)
}

/** Ignored, a mistyped scope would give an app everything whose developer meant it to get less. */
const isMistyped = ({ nameForm, names }: Catalogue, word: string): boolean =>
  nameForm.test(word) || names.some((scope) => isOneLetterAway(word, scope))

const isOneLetterAway = (word: string, scope: string): boolean => {
  if (Math.abs(word.length - scope.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === scope[at]) at++
  const [rest, restOfScope] = [word.slice(at), scope.slice(at)]
  return rest.slice(1) === restOfScope.slice(1) || rest.slice(1) === restOfScope || rest === restOfScope.slice(1)
}
