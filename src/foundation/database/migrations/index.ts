import baseline from "./0033_baseline.ts"
import names from "./0034_names.ts"
import catalogues from "./0035_catalogues.ts"
import locales from "./0036_locales.ts"
import references from "./0037_references.ts"
import appStatements from "./0038_app_statements.ts"
import consentTerms from "./0039_consent_terms.ts"
import offeredScopes from "./0040_offered_scopes.ts"
import organizations from "./0041_organizations.ts"
import reviewDecisions from "./0042_review_decisions.ts"
import reviewDesk from "./0043_review_desk.ts"
import reviewChecks from "./0044_review_checks.ts"
import registrationDrafts from "./0045_registration_drafts.ts"
import secretEnds from "./0046_secret_ends.ts"
import appEvents from "./0047_app_events.ts"
import testApps from "./0048_test_apps.ts"
import clientOwners from "./0049_client_owners.ts"
import resources from "./0050_resources.ts"
import clientDocuments from "./0051_client_documents.ts"
import reviewWishes from "./0052_review_wishes.ts"
import registrations from "./0053_registrations.ts"
import usage from "./0054_usage.ts"

/**
 * Every step of the schema since the first release, in order. A step takes nothing away that the release before uses,
 * so that its code runs on it: servers of two releases share the database while they are restarted one by one
 * (docs/operations/upgrade.md). An index on a table that grows is not built here but in `indexes.ts`, beside the work.
 */
export const migrations = {
  "0033_baseline": baseline,
  "0034_names": names,
  "0035_catalogues": catalogues,
  "0036_locales": locales,
  "0037_references": references,
  "0038_app_statements": appStatements,
  "0039_consent_terms": consentTerms,
  "0040_offered_scopes": offeredScopes,
  "0041_organizations": organizations,
  "0042_review_decisions": reviewDecisions,
  "0043_review_desk": reviewDesk,
  "0044_review_checks": reviewChecks,
  "0045_registration_drafts": registrationDrafts,
  "0046_secret_ends": secretEnds,
  "0047_app_events": appEvents,
  "0048_test_apps": testApps,
  "0049_client_owners": clientOwners,
  "0050_resources": resources,
  "0051_client_documents": clientDocuments,
  "0052_review_wishes": reviewWishes,
  "0053_registrations": registrations,
  "0054_usage": usage
}

/**
 * The steps that took something away from older code, by their number, each with the oldest schema whose code can run
 * on it. What a step takes away is used by no code of the release before.
 */
export const contracts: Readonly<Record<number, number>> = {}

/** The last commit that has the steps before the baseline. */
export const commitBefore = "eb08b9a"
