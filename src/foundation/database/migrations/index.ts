import tables from "./0001_tables.ts"
import roomForSpentCodes from "./0002_room_for_spent_codes.ts"
import auditByAction from "./0003_audit_by_action.ts"
import limits from "./0004_limits.ts"
import guessableSecrets from "./0005_guessable_secrets.ts"
import graceUntilUsed from "./0006_grace_until_used.ts"
import vacuum from "./0007_vacuum.ts"
import traceparent from "./0008_traceparent.ts"
import importedGrants from "./0009_imported_grants.ts"
import compatibleFrom from "./0010_compatible_from.ts"
import scopeWords from "./0011_scope_words.ts"
import foreignDigests from "./0012_foreign_digests.ts"
import migrationStandings from "./0013_migration_standings.ts"
import legacyVerdict from "./0014_legacy_verdict.ts"
import importedIdleDays from "./0015_imported_idle_days.ts"
import endWarnings from "./0016_end_warnings.ts"
import sessionNotices from "./0017_session_notices.ts"
import logos from "./0018_logos.ts"
import reviewDigests from "./0019_review_digests.ts"
import nameSkeletons from "./0020_name_skeletons.ts"
import reviewers from "./0021_reviewers.ts"
import continuations from "./0022_continuations.ts"
import sessionsAndKeyEnds from "./0023_sessions_and_key_ends.ts"
import identities from "./0024_identities.ts"
import mailedLinks from "./0025_mailed_links.ts"
import spentAnswers from "./0026_spent_answers.ts"
import accessTokenMacs from "./0027_access_token_macs.ts"
import readAhead from "./0028_read_ahead.ts"
import noReviewedBy from "./0029_no_reviewed_by.ts"
import graceWindows from "./0030_grace_windows.ts"
import claimedRoles from "./0031_claimed_roles.ts"
import verifiedAddresses from "./0032_verified_addresses.ts"
import issueDates from "./0033_issue_dates.ts"

/**
 * Every step of the schema, in order. A step takes nothing away that the release before uses, so that its code runs on it:
 * servers of two releases share the database while they are restarted one by one (docs/operations/upgrade.md). An index on a
 * table that grows is not built here but in `indexes.ts`, beside the work.
 */
export const migrations = {
  "0001_tables": tables,
  "0002_room_for_spent_codes": roomForSpentCodes,
  "0003_audit_by_action": auditByAction,
  "0004_limits": limits,
  "0005_guessable_secrets": guessableSecrets,
  "0006_grace_until_used": graceUntilUsed,
  "0007_vacuum": vacuum,
  "0008_traceparent": traceparent,
  "0009_imported_grants": importedGrants,
  "0010_compatible_from": compatibleFrom,
  "0011_scope_words": scopeWords,
  "0012_foreign_digests": foreignDigests,
  "0013_migration_standings": migrationStandings,
  "0014_legacy_verdict": legacyVerdict,
  "0015_imported_idle_days": importedIdleDays,
  "0016_end_warnings": endWarnings,
  "0017_session_notices": sessionNotices,
  "0018_logos": logos,
  "0019_review_digests": reviewDigests,
  "0020_name_skeletons": nameSkeletons,
  "0021_reviewers": reviewers,
  "0022_continuations": continuations,
  "0023_sessions_and_key_ends": sessionsAndKeyEnds,
  "0024_identities": identities,
  "0025_mailed_links": mailedLinks,
  "0026_spent_answers": spentAnswers,
  "0027_access_token_macs": accessTokenMacs,
  "0028_read_ahead": readAhead,
  "0029_no_reviewed_by": noReviewedBy,
  "0030_grace_windows": graceWindows,
  "0031_claimed_roles": claimedRoles,
  "0032_verified_addresses": verifiedAddresses,
  "0033_issue_dates": issueDates
}

/**
 * The steps that took something away from older code, by their number, each with the oldest schema whose code can run on
 * it. What a step takes away is used by no code of the release before.
 */
export const contracts: Readonly<Record<number, number>> = { 10: 5 }
