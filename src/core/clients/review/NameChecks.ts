import { mixedWord, oddLetters } from "../../../domain/names/MixedScripts.ts"
import { skeletonsOf } from "../../../domain/names/Skeleton.ts"
import { styledLetters } from "../../../domain/names/StyledLetters.ts"
import { approvedOf } from "../life/NameTwins.ts"
import type { RelatedApps } from "../life/RelatedApp.ts"
import { check, type ReviewCheck } from "./ReviewCheck.ts"

/** Checks of a name by itself. */
export const nameChecks = (name: string): ReadonlyArray<ReviewCheck> => {
  const mixed = mixedWord(name)
  const styled = styledLetters(name)
  return [
    ...(skeletonsOf(name).some((it) => product.some((own) => it.includes(own)))
      ? [check({ check: "name_of_product" })]
      : []),
    ...(mixed === undefined
      ? []
      : [check({ check: "name_mixes_scripts", word: mixed, letters: oddLetters(mixed) })]),
    ...(styled === "" ? [] : [check({ check: "name_in_styled_letters", letters: styled })])
  ]
}

const product = skeletonsOf("Slotkey")

/** Checks of a name beside its twins (`NameTwins`). */
export const twinChecks = (twins: RelatedApps): ReadonlyArray<ReviewCheck> => {
  if (twins.total === 0) return []
  const approved = approvedOf(twins)
  return [{
    cause: { check: "name_resembles", total: twins.total, isApproved: approved.length > 0 },
    apps: twins.apps,
    acceptTwins: approved.map(({ id }) => id)
  }]
}
