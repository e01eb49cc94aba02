import { mixedWord, oddLetters } from "../../../domain/names/MixedScripts.ts"
import { skeletonsOf } from "../../../domain/names/Skeleton.ts"
import { styledLetters } from "../../../domain/names/StyledLetters.ts"
import { codePointOf, inQuotes } from "../../../domain/Text.ts"
import { approvedOf } from "./NameTwins.ts"
import { check, type RelatedApps, type ReviewCheck } from "./ReviewCheck.ts"

/** Checks of a name by itself. */
export const nameChecks = (name: string): ReadonlyArray<ReviewCheck> => {
  const mixed = mixedWord(name)
  const styled = styledLetters(name)
  return [
    ...(skeletonsOf(name).some((it) => product.some((own) => it.includes(own)))
      ? [check("name_of_product", "Its name contains that of this product, so that users may take it for ours.")]
      : []),
    ...(mixed === undefined
      ? []
      : [check(
        "name_mixes_scripts",
        `“${mixed}” mixes letters of scripts that are not written together: ${oddLetters(mixed).map(named).join(", ")}.`
      )]),
    ...(styled === ""
      ? []
      : [check("name_in_styled_letters", `Its name has letters of another width or style: “${styled}”.`)])
  ]
}

const product = skeletonsOf("Slotkey")

// Looks do not tell which letter it is.
const named = (letter: string): string => `${inQuotes(letter)} (${codePointOf(letter)})`

/** Checks of a name beside its twins (`NameTwins`). */
export const twinChecks = (twins: RelatedApps): ReadonlyArray<ReviewCheck> => {
  if (twins.total === 0) return []
  const approved = approvedOf(twins)
  const others = twins.total === 1 ? "that of another app" : `those of ${twins.total} other apps`
  return [{
    check: "name_resembles",
    cause: `Users cannot tell its name from ${others}${approved.length === 0 ? ", not approved" : ""}.`,
    apps: twins.apps,
    acceptTwins: approved.map(({ id }) => id)
  }]
}
