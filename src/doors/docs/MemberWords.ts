interface Words {
  readonly description: string
  /** A moment, as RFC 3339 writes it. */
  readonly isTime?: boolean
}

/** Meaning of a member, for members that do not say it themselves. */
export const wordsOf = (schema: string, member: string): Words | undefined =>
  words[`${schema}.${member}`] ?? words[member]

const say = (description: string): Words => ({ description })
const time = (description: string): Words => ({ description, isTime: true })

const sameIn = (member: string, schemas: ReadonlyArray<string>, description: string): Readonly<Record<string, Words>> =>
  Object.fromEntries(schemas.map((schema) => [`${schema}.${member}`, say(description)]))

const refusal = (schema: string): Readonly<Record<string, Words>> => ({
  [`${schema}.at`]: time("When it was refused; the latest where several are told of as one."),
  [`${schema}.endpoint`]: say("Where it was sent: `authorize` or `token`."),
  [`${schema}.error`]: say("The error code of the answer, or the name of the page that the user saw instead."),
  [`${schema}.reason`]: say("The exact cause, which the answer may have withheld."),
  [`${schema}.times`]: say("How many equal requests it stands for."),
  [`${schema}.reference`]: say("The id of the request, which its page showed (`X-Request-Id`).")
})

/** By the name of the member, or of the schema and its member where it means something else there. */
export const words: Readonly<Record<string, Words>> = {
  // Reports of what calls used
  "UsageReport.batch": say("A UUID of this report, the same when it is sent again."),
  "UsageReport.calls": say("Calls since the last report, summed up."),
  "UsageReport.missed": say("Calls that could not be reported, if there were any."),
  "MissedCalls.calls": say("How many they are."),
  "MissedCalls.first": say("Age of the first of them, in seconds."),
  "ReportedCalls.grant": say("The `grant_id` that introspection told of their token."),
  "ReportedCalls.need": say("What their operation needs. Empty if nobody knows, `*` if no scope covers it."),
  "ReportedCalls.operation": say("Method and path of their operation, as the catalogue lists it."),
  "ReportedCalls.outcome": say("What became of them."),
  "ReportedCalls.calls": say("How many they are."),
  "ReportedCalls.first": say("Age of the first of them, in seconds."),
  "ReportedCalls.last": say("Age of the last of them, in seconds."),

  // What the scopes of an app are used for
  "AppUsage.coverage": say("Which calls are seen."),
  "AppUsage.from": say("The first day, in UTC."),
  "AppUsage.to": say("The last day, today in UTC."),
  "AppUsage.days": say("Calls by day, what they needed and what became of them, the oldest day first."),
  "AppUsage.operations": say("The same calls by operation, the most called first; without those that name none."),
  "AppUsage.isCurrent": say("False while more counts wait to be added up than can be read: then calls are missing."),
  "AppUsage.users": say("How many users had calls that were allowed, by what they needed."),
  "AppUsage.areUsersComplete": say(
    "False if only the first ten thousand grants were counted: each number is the least."
  ),
  "AppUsage.unused": say(
    "The scopes that nobody uses; `null` where that is not known, and for an app that is not approved, a legacy app and a test app."
  ),
  "AppUsage.unknown": say("Why it is not known which scopes nobody uses; otherwise `null`."),
  ...sameIn("outcome", ["DayCalls", "OperationCalls"], "What became of them."),
  ...sameIn("calls", ["DayCalls", "OperationCalls"], "How many they are."),
  "DayCalls.day": say("The day, in UTC."),
  ...sameIn(
    "need",
    ["DayCalls", "UsersOfNeed"],
    "What their operation needs. Empty if nobody knows, `*` if no scope covers it."
  ),
  "OperationCalls.operation": say("Method and path of the operation, as the catalogue lists it."),
  "UsersOfNeed.users": say("How many users they are of."),
  "UsageCoverage.completeSince": time("From when on all calls were seen; `null` where not all are."),
  "UsageCoverage.keptSince": time("From when on counts are kept."),
  "UsageCoverage.isCounting": say("False where `USAGE` is `off`."),
  "UsageCoverage.hasOffline": say(
    "True where `USAGE` is `partial`: some APIs verify tokens offline, and their calls are not seen."
  ),
  "AppUnusedScopes.scopes": say("The scopes that no call can have used."),
  "AppUnusedScopes.droppable": say("Those of them that the app can do without: it has to require at least one."),
  "AppUnusedScopes.since": time("From when on no call has used them."),
  "UnknownUse.reason": say(
    "`off`: calls are not counted; `offline`: some are not seen; `missed`: some were missed today; `early`: all are seen for less than four weeks; `introspected`: some were checked by introspection, which does not tell what they need; `behind`: too many wait to be counted."
  ),
  "UnknownUse.knownAt": time("When it will be known, if nothing is missed until then; otherwise `null`."),

  // Envelope of the management API
  status: say("`success`, or `error` for a refusal."),
  data: say("What was asked for, if anything."),
  timestamp: time("When it was refused."),
  path: say("The path of the request, without its query."),
  requestId: say("The id under which the log has the request."),
  error: say("What was refused, and why."),
  code: say("The error for programs."),
  message: say("The error for people."),
  details: say("An entry for each field at fault."),
  "Fault.path": say("The field at fault."),
  "Fault.message": say("What is wrong with it."),

  // Apps
  id: say("The id of the app, its `client_id`."),
  accountId: say("The id of the co-owner's account."),
  "CoOwner.since": time("When they accepted."),
  ...sameIn(
    "role",
    ["CoOwner", "OwnerInvitation", "OwnerOffer"],
    "An `owner` may do everything, a `developer` everything but secrets, owners and deletion."
  ),
  coOwners: say("Who shares the app with its first owner, in the order in which they came."),
  invitations: say("Who was invited and has not answered; empty for who may not invite."),
  isOwnerless: say("Whether its owner was shut out or has left, with no co-owner in their place."),
  nextOwnerId: say(
    "The id of the account whose the app is once that is approved; null or absent if it stays with its owner."
  ),
  person: say("The e-mail address or the user name of the account that is invited."),
  takesOver: say("Whether the app is to be theirs, which reviewers decide when they have accepted."),
  ownerId: say("The id of the owner's account."),
  owner: say("Who registered the app, or was given it; `null` when its owner may not sign in any more."),
  kind: say("`confidential` if the app can keep a secret, as one on a server can; otherwise `public`."),
  legacy: say("True for a legacy app until its scopes are saved: what it asks for is not validated."),
  ...sameIn(
    "status",
    ["ManagedClient", "OwnClient", "ReviewedClient", "RelatedApp"],
    "Only an `approved` app can be used."
  ),
  "RegisteredClient.status": say("A new app is `pending`."),
  name: say("The name of the app, as users read it when they are asked for consent."),
  tagline: say(
    "One sentence of the app about itself, which users read when they are asked for consent; `null` for none."
  ),
  website: say("The app's website, `client_uri` of RFC 7591."),
  privacyUrl: say("The app's privacy policy (`https`), `policy_uri` of RFC 7591; `null` for none."),
  termsUrl: say("The app's terms of service (`https`), `tos_uri` of RFC 7591; `null` for none."),
  contact: say(
    "Where users reach the people behind the app: an e-mail address or an `https` address (`contacts` of RFC 7591); `null` for none."
  ),
  logoUrl: say("Where the app's logo was fetched from (`https`), `logo_uri` of RFC 7591; `null` for none."),
  logoDigest: say(
    "The SHA-256 digest of the logo that is shown, in base64url: it is served at `/logos/` and this digest."
  ),
  redirectUris: say("The addresses to which a user may come back from the consent page."),
  scopes: say("The most that the app may ask for."),
  optionalScopes: say(
    "Those of `scopes` that users may decline: the `scope` of the token response says what was given (RFC 6749 §3.3). The others, at least one, are required."
  ),
  purpose: say("What the app is for, written for its reviewer."),
  refreshGrace: say(
    "How long a replaced refresh token gets the same successor: `until-used`, or `short` as for every public app."
  ),
  rejectionReason: say("Why a reviewer rejected or suspended it, for its owner; otherwise `null`."),
  submittedAt: time("When it was handed in for review."),
  reviewedAt: time("When a reviewer last decided about the app; `null` before that."),
  createdAt: time("When it was made."),
  updatedAt: time("When it was last changed."),
  migratedAt: time("When the scopes of a legacy app were saved; `null` for all others."),
  scopeWords: say("Words in `scope` that the app's old server took, and that look like one of the scopes mistyped."),
  version: say("Grows with each change. A command that names another version than this one is refused with 409."),
  change: say("What the owner wants to change and a reviewer has not approved; `null` for nothing."),
  "OwnClient.waiting": say("Where a reviewer will find the app; `null` where none is about to look at it."),
  place: say("Its place in the review queue as it is now: 1 is looked at next."),
  usualSeconds: say("How long a review of a new app has taken of late, in the middle; `null` where nobody can say."),
  clients: say("The apps of this page."),
  breakOldUrls: say(
    "True saves the scopes of a legacy app although that breaks addresses or API calls that were seen, or too little was seen."
  ),
  refetchLogo: say("True fetches the logo again although its address stays the same."),
  reason: say("Why. The owner of the app reads it."),
  secret: say("The secret itself, which no other answer has; `null` for a public app."),
  lastFour: say("The last four characters, by which people tell it from others."),
  lastUsedAt: time("When it was last used, to the minute; `null` if it never was."),
  ...sameIn("id", ["SecretInfo", "NewSecret"], "The id of the secret."),
  endsAt: time(
    "When it stops working, unless it is the last secret of the app; `null` if it works until it is revoked."
  ),
  ...sameIn(
    "isOverdue",
    ["SecretInfo", "NewSecret"],
    "True of the last secret of an app whose end has passed: it works, and should be replaced."
  ),
  isSealed: say(
    "True of a secret that replaced a leaked one and that its owner has yet to see, on the page of the app."
  ),
  "NewSecret.secret": say("The secret itself, which no other answer has."),

  // Events
  url: say("Where the server sends events of the app."),
  secretAt: time("When the secret was made."),
  previousUntil: time("Until when the secret before that signs as well; `null` if none does."),
  failures: say("Attempts that failed since the last that did not."),
  retryAt: time("No event is sent before this; `null` unless the endpoint has a pause."),
  "EventEndpointWithSecret.secret": say(
    "The secret with which events are signed, which no other answer has; `null` if it stays the one that was shown before."
  ),
  "EventDelivery.id": say("The id of the event, which each of its requests has as `webhook-id`."),
  "EventDelivery.type": say("What the event tells, as its request says it."),
  "EventDelivery.at": time("When it happened."),
  "EventDelivery.state": say("`waiting` while it is tried, `delivered`, or `failed` when it was given up."),
  attempts: say("How often it was sent; from 0 again when it is sent again."),
  triedAt: time("When it was last sent; `null` if it never was."),
  "EventDelivery.status": say("The status of the last answer; `null` if there was none."),
  fault: say(
    "Why there was no answer: `not_https`, `not_public` (the host is not on the public internet), `silent`, `slow`, or `unsigned` (the server cannot read the endpoint's secret any more)."
  ),
  dueAt: time("When it is sent next; `null` unless it waits."),
  "RepeatedEvents.events": say("How many are sent again."),
  // Apps that nobody registered
  origin: say(
    "`registered` by a developer, or one without an owner: a `document` at the address that is its `client_id` describes it, or it registered by itself (`dynamic`). Absent for `registered` in some answers."
  ),
  "TrustedHost.host": say("The host, exactly; none above it or below it."),
  "TrustedHost.by": say("The id of the reviewer who trusts it."),
  "TrustedHost.at": time("When it was trusted."),
  "TrustedHost.apps": say("How many apps describe themselves there."),
  // Test apps
  testOf: say("The app of which this is the test app; absent or `null` for all others."),
  "NewTestApp.status": say("A new test app can be used at once."),
  ...sameIn(
    "status",
    ["TestApp", "Client", "ListedTestApp"],
    "A test app is `approved`, or `suspended` while it cannot be used."
  ),
  "TestApp.guests": say("Who was invited to use it, with those who have accepted."),
  "ListedTestApp.guests": say("The accounts of its guests who have accepted."),
  "ListedTestApp.lastTokensAt": time("When it last got tokens; `null` if it never has."),
  "TestGuest.id": say("The id of the guest, by which they are removed."),
  guest: say("The address or the user name of an account. Nobody says whether there is one."),
  named: say("The address or the user name by which the owner has invited them, in lower case."),
  invitedAt: time("When the owner has invited them."),
  acceptedAt: time("When they have accepted; `null` before."),
  isOn: say("Whether the setting `TEST_APPS` allows test apps."),
  stopped: say("When an administrator has ended all test apps, and who it was; `null` while owners can make them."),
  "TestAppStop.at": time("When it was."),
  "TestAppStop.by": say("The id of the administrator."),
  tests: say("The latest hundred, the newest first."),
  "TestAppOverview.total": say("How many there are."),
  ended: say("How many have ended."),

  // Review
  total: say("How many there are on all pages."),
  page: say("The number of this page."),
  pages: say("The number of pages."),
  nextCursor: say("Give it back as `cursor` for the next page; `null` on the last one."),
  waiting: say("Apps with something to decide."),
  ownerless: say("Apps whose owner was shut out or has left, with no co-owner in their place."),
  reported: say("Apps that users have reported since a reviewer last dealt with that."),
  changes: say("Apps of which a change waits; some of `waiting`."),
  risk3: say("Apps of the highest risk; some of `waiting`."),
  overdue: say("Apps that wait longer than `REVIEW_REMINDER_AFTER`; some of `waiting`."),
  mine: say("Apps that the caller has claimed."),
  imported: say("Apps that wait as they came from another server; nobody registered them by hand."),
  "ManyRejected.rejected": say("The apps that were rejected, as they are now."),
  leftOut: say("The apps that stay as they are."),
  waitingSince: time(
    "From when the app counts as waiting, without the time in which its owner had a question to answer; `null` if it does not wait."
  ),
  isAnswered: say("True once the owner has answered a question of a reviewer."),
  isOverdue: say("True if it waits longer than `REVIEW_REMINDER_AFTER`."),
  isImported: say("True if it waits as it came from another server."),
  reports: say("How many users have reported the app since a reviewer last dealt with that."),
  "QueuedClient.wishes": say("How many users wait for the decision."),
  "ReviewedClient.wishes": say(
    "Users who wait for the decision about an app that nobody registered, the first fifty, the longest waiting first."
  ),
  "ReviewedClient.use": say(
    "What it asks for against what it uses; `null` of an app that was never approved, and of one that nothing restricts."
  ),
  "AskedUse.asked": say("How many scopes it asks for: its change if one waits, else the app."),
  "AskedUse.used": say("Scopes that it holds and uses, the most used first."),
  "AskedUse.scope": say("The scope."),
  "AskedUse.calls": say("How many calls used it within the weeks that are kept (`USAGE_LIFETIME`)."),
  "AskedUse.unused": say("Scopes that it holds and no call has used, the riskiest first."),
  "AskedUse.since": time("From when on no call has used those; `null` where nothing is called unused."),
  "AskedUse.unknown": say("Scopes that it holds of which no call was seen, but some may have been missed."),
  "AskedUse.added": say("Scopes that it does not hold yet, the riskiest first."),
  "AskedNumbers.asked": say("How many scopes the change asks for."),
  "AskedNumbers.used": say("How many of them the app uses."),
  "UnusedScopesPage.apps": say("The apps, the riskiest first."),
  "UnusedScopesPage.isCurrent": say(
    "False while more counts wait to be added up than are read: then some are left out."
  ),
  "AppWithUnusedScopes.unused": say("Scopes that reach everyone and that no call has used, the riskiest first."),
  "AppWithUnusedScopes.since": time("From when on no call has used them."),
  "ReviewWish.userId": say("The account of the user."),
  "ReviewWish.reason": say("What they want to use the app for, in their own words."),
  "ReviewWish.scopes": say("The scopes that the app asked them for."),
  "ReviewWish.askedAt": time("When they asked for the review."),
  ownerRecord: say("The number of apps of the same owner by state, this one among them."),
  pending: say("New apps that wait for review."),
  approved: say("Apps that can be used."),
  rejected: say("Apps that were rejected."),
  suspended: say("Apps whose use was stopped."),
  all: say("All apps."),
  differences: say("What the change that waits would change."),
  field: say("The field that would change."),
  removed: say("The values that it would lose."),
  added: say("The values that it would get."),
  checks: say("Reasons to look twice at the app. None refuses it by itself."),
  undoable: say("The decision about the app that the caller may undo; `null` where there is none."),
  "UndoableDecision.clientId": say("The id of the app."),
  "UndoableDecision.name": say("The name of the app."),
  "UndoableDecision.kind": say("What was decided."),
  "UndoableDecision.at": time("When it was decided."),
  "UndoableDecision.until": time("Until when it can be undone."),
  "UndoableDecision.version": say("The version that the decision made, which its undoing names."),
  firstApproval: say("The first of the two approvals that this takes, if there is one; otherwise `null`."),
  "FirstApproval.reviewer": say("The account of the reviewer, or `cli` for an operator."),
  "FirstApproval.at": time("When it was given."),
  "FirstApproval.without": say("The scopes that it leaves out."),
  check: say("The reason, for programs."),
  messages: say("What was written about the app, the oldest first."),
  isAsked: say("True while the owner has a question to answer: the app does not count as waiting."),
  takesAnswers: say("True while the owner may write: the app waits for review, and a reviewer has asked."),
  author: say("The account that wrote it; `null` once that is deleted."),
  ...sameIn("id", ["ReviewMessage", "OwnerMessage"], "The id of the message."),
  ...sameIn(
    "kind",
    ["ReviewMessage", "OwnerMessage"],
    "A `note` is among reviewers; a `question` is for the owner of the app, and an `answer` comes from them."
  ),
  ...sameIn("version", ["ReviewMessage", "OwnerMessage"], "The version of the app that it was written about."),
  "ReviewMessage.at": time("When it was written."),
  "OwnerMessage.at": time("When it was written."),
  claim: say("Who has claimed the app; `null` for nobody."),
  ...sameIn("reviewer", ["Claim", "QueuedClient"], "The account of the reviewer who has claimed the app."),
  "Claim.at": time("When the app was claimed."),
  "Claim.endsAt": time("When the claim ends by itself."),
  from: say("The reviewer whose claim is taken over."),
  asked: say("Apps whose owner has a question to answer before the review goes on."),
  "RelatedApp.reviewed": say("True once a reviewer has decided about it; an imported app is approved without."),
  "ReviewCheck.cause": say("The reason, as a sentence for people."),
  "ReviewCheck.apps": say("The apps that the reason is about, ten at most."),
  "ReviewCheck.acceptTwins": say("The approved apps that an approval has to name in its own `acceptTwins`."),
  looks: say("What was looked at for this review, what that found, and what was not looked at."),
  look: say("The side of the app: its name, redirect addresses, purpose, and so on."),
  result: say(
    "`stands_out` if a check found something, `nothing_found` if it was looked at and nothing was found, `not_looked` if nobody looked: then nothing can stand out."
  ),
  about: say("What was looked at, or why it was not, as a sentence for people."),
  found: say("The checks that found something, each with its reason in `checks`."),
  wanted: say("True if the app does not have this name yet: a change to it waits for review."),
  migration: say("How far a legacy app is on its way to scopes; `null` for all others."),

  // Move of legacy apps to scopes
  audit: say("What its requests of the last days were like, read now; `null` for an app that always had scopes."),
  ...refusal("FoundRefusal"),
  ...refusal("RefusedRequest"),
  "FoundRefusal.clientId": say("The app that the request named; `null` where it named none of this server."),
  "FoundRefusal.userId": say("The user whose session, code or grant it was about, where that is known."),
  "LackingScopes.users": say(
    "The number of users with access to the API that has not ended; what they gave for another resource does not count."
  ),
  "LackingScopes.isComplete": say(
    "False if only the first ten thousand grants were counted: each number is the least."
  ),
  "LackingScopes.lacking": say("How many users lack a scope, or several."),
  "LackingScopes.scopes": say("The scopes that users lack or declined, without those that all have given."),
  "LackingScopes.link": say(
    "The page to send to users: it tells each what the app may ask for, leads to its website, and says nothing to others."
  ),
  "LackedScope.scope": say("A scope that the app may ask for."),
  "LackedScope.isOptional": say("True if users may decline it."),
  "LackedScope.lacking": say("How many users have not answered, or declined it before the app required it."),
  "LackedScope.declined": say("How many users declined it, while it is optional."),
  clientId: say("The id of the app."),
  at: time("When this was read."),
  days: say("The number of days that it looks back."),
  unscopedRequests: say("Authorization requests without scope."),
  scopedRequests: say("Authorization requests with scopes."),
  lastUnscopedAt: time("The last request without scope; `null` if there was none."),
  "MigrationAudit.scopes": say("The scopes that requests named."),
  unscopedGrants: say("Grants that live and that no scope restricts."),
  verdict: say("How far the app is. Scopes can be saved without harm when it is `safe-to-save`."),
  seen: say("The scopes that requests named or API calls needed."),
  "SeenScope.scope": say("The scope."),
  "SeenScope.or": say("Scopes any of which would have done as well for the calls; left out where there are none."),
  "SeenScope.and": say("Scopes that the calls needed, too; left out where there are none."),
  "SeenScope.requests": say("How many authorization requests named it."),
  "SeenScope.calls": say("How many API calls needed it and were allowed."),
  "MigrationState.calls": say("What is known of its API calls."),
  "CountedCalls.since": time("Beginning of the days whose calls are counted."),
  blindness: say(
    "Why not all calls are known; `null` if all are. `off`: nothing is counted; `offline`: some servers verify tokens on their own; `introspection`: some asked about tokens alone; `recent`: not all were counted for long enough; `late`: too many counts wait to be added up."
  ),
  uncovered: say("How many calls no scope covers."),
  suggested: say(
    "Scopes to be saved: those that calls needed, and unless all calls are known, those that requests named."
  ),
  "MigrationState.rehearsal": say(
    "What would have become of the calls with the scopes of `scope`, or of the change that waits, or else with those that are suggested."
  ),
  ...sameIn("scopes", ["Rehearsal", "LegacyClientCalls"], "Scopes that tokens would have had."),
  ...sameIn("calls", ["Rehearsal", "LegacyClientCalls"], "How many API calls were allowed."),
  ...sameIn("refusedCalls", ["Rehearsal", "LegacyClientCalls"], "How many of them would have been refused."),
  refusedUsers: say("How many users who have the app made calls that would have been refused."),
  "Rehearsal.isComplete": say("False if the app has more grants than were looked at: then there are more such users."),
  "LegacyClient.calls": say(
    "Its API calls of the days of the audit, and what would have become of them with the scopes that its requests named, or else with those that they needed."
  ),
  observation: say("The time in which the app is observed before it can be `safe-to-save`."),
  since: time("Its beginning."),
  until: time("Its end."),
  unrotatedGrants: say(
    "Grants from the server before whose apps have not presented a refresh token of this server yet."
  ),
  ignoredWords: say(
    "Words in `scope` that are no scopes. They are ignored until scopes are saved, and refused from then on."
  ),
  word: say("The word."),
  requests: say("How many requests there were."),
  lastAt: time("The last of them; `null` if there was none."),
  refusedCalls: say("API calls of the last days that were refused."),
  cause: say(
    "`insufficient_scope`: the token lacks the scope; `closed`: apps may not call it; `unlisted`: it is not listed; `malformed`: its path is not written in the one way that all servers read alike."
  ),
  "RefusedCall.lastDay": say("Day of the last one in UTC, as `2026-11-27`."),
  operation: say("Method and path as they are listed; `null` for all that are not listed."),
  refused: say("What was refused since scopes were saved; `null` while none are."),
  withoutScope: say("Authorization requests that named no scope."),
  refusedScopes: say("Authorization requests with scopes that are not saved, or with none that is known."),
  "Refusals.refusedCalls": say("API calls with a token that lacks the scope."),
  supersededGrants: say("Refreshes of old grants that ended when their user authorized the app again."),
  undoUntil: time("Until when saved scopes can be taken back; `null` when they cannot."),
  askedAt: time("When its owner last had a mail that asked to move it; `null` for never."),
  trend: say("Its authorization requests of the last 30 days, the oldest day first."),
  unscoped: say("Requests without scope on that day."),
  scoped: say("Requests with scopes on that day."),
  owners: say("The number of owners with a mail."),
  apps: say("The number of apps that the mails are about."),
  sample: say("The mail to the owner with the most apps; `null` if none would go out."),
  to: say("Its recipient."),
  subject: say("Its subject."),
  text: say("Its text."),

  // Resources
  identifier: say(
    "The `https` address that apps name as `resource` (RFC 8707), and tokens for it have as their `aud`."
  ),
  ...sameIn("id", ["ListedResource", "UsedResource"], "The id of the resource in addresses of this API."),
  ...sameIn(
    "name",
    ["ListedResource", "UsedResource", "NewResource", "ResourceEdit"],
    "The name of the resource, as users read it when they are asked for consent."
  ),
  ...sameIn(
    "scopes",
    ["ListedResource", "UsedResource", "NewResource", "ResourceEdit"],
    "The scopes of the catalogue that an app may ask for it."
  ),
  baseScopes: say(
    "Those of `scopes` with which an app begins that knows nothing else: metadata and challenges name them."
  ),
  metadataUrl: say("Where apps look for its metadata (RFC 9728): its gateway leads that address to this server."),
  usage: say("What users have given for it: what would end if it were removed."),
  "ResourceUsage.grants": say("How often a user has given an app access to it that has not ended."),
  "ResourceUsage.apps": say("The number of apps with such access."),
  "ResourceUsage.users": say("The number of users who gave it."),
  "ResourceUsage.isComplete": say(
    "False if only the first ten thousand grants were counted: each number is the least."
  ),
  grants: say("How many grants have ended."),
  ...sameIn("id", ["ResourceCredential", "NewResourceCredential"], "The id of the credential, by which it is revoked."),
  ...sameIn("name", ["ResourceCredential", "NewResourceCredential"], "The program that asks with it."),
  credential: say("The credential itself, which no other answer has."),

  // Users
  users: say("The users of this page."),
  ...sameIn("id", ["Account", "User", "Me", "Owner", "UserClaims"], "The id of the user."),
  ...sameIn("name", ["Account", "User", "Me", "Owner", "UserClaims", "IdentityProfile"], "The user's name."),
  email: say("The user's e-mail address; empty if none is known."),
  "Me.email": say("The user's e-mail address; `null` if none is known, or nobody vouches that it is theirs."),
  "UserClaims.email": say("The user's e-mail address; absent if none is known, or nobody vouches that it is theirs."),
  "IdentityProfile.email": say("An e-mail address that the platform has verified to be the user's; `null` forgets it."),
  emailVerified: say("Whether somebody vouches that the address is the user's; `null` if nobody says."),
  email_verified: say("That somebody vouches for the address; absent if the platform does not say."),
  username: say("The user's name in addresses."),
  role: say("A `reviewer` decides about apps, an `admin` does that and all else."),
  disabled: say("True if the account cannot sign in and no app may act for it."),
  avatarUrl: say("The address of the user's picture; `null` for none."),
  bio: say("What the user says about themselves; `null` for nothing."),
  timeFormat: say("A clock of 12 or of 24 hours."),
  defaultScheduleId: say("The id of the user's default schedule on the platform; `null` for none."),
  weekStart: say("The day with which the user's week begins, in English."),
  timeZone: say("The user's time zone, by its name in the IANA database."),
  locale: say("The user's language (BCP 47)."),
  organizationId: say("The id of the user's organization on the platform; `null` for none."),
  organizationName: say("The name of the user's organization on the platform; `null` for none."),
  decidesForOrganization: say(
    "Whether the user may allow an app what is of the highest risk to everyone there; `null` if nobody says."
  ),
  issuer: say("The identity provider, as its assertions name it (`iss`)."),
  ...sameIn("subject", ["Identity", "RemovedIdentity"], "The user there (`sub`)."),
  account: say("The account that is linked to this identity."),
  sub: say("The id of the user."),
  preferred_username: say("The user's name in addresses."),
  picture: say("The address of the user's picture."),
  zoneinfo: say("The user's time zone, by its name in the IANA database."),

  // API keys
  ...sameIn("id", ["ApiKey", "NewApiKey"], "The id of the key."),
  ...sameIn("name", ["ApiKey", "NewApiKey"], "What its owner calls the key."),
  "apiKeys.create.name": say("What you call the key."),
  ...sameIn("id", ["InitialToken", "NewInitialToken"], "The id of the token."),
  ...sameIn("name", ["InitialToken", "NewInitialToken"], "Who has the token, or what it is for."),
  ...sameIn("lastFour", ["InitialToken", "NewInitialToken"], "The end of the token."),
  "initialTokens.create.name": say("Who has the token, or what it is for."),
  registration_endpoint: say("Where apps register by themselves (RFC 7591); absent where they do not."),
  mostUses: say("The number of registrations that the token is good for; `null` without a limit."),
  uses: say("The number of apps that registered with it."),
  "NewInitialToken.token": say("The token itself, which no other answer has."),
  expiresAt: time("When the key ends; `null` if it works until it is revoked."),
  key: say("The key itself, which no other answer has."),

  // Tokens
  grant_type: say("What the tokens are asked for with."),
  client_id: say("The id of the app. With `client_secret_basic` it may be left out."),
  client_secret: say("The secret of a confidential app, for `client_secret_post`."),
  "TokenRequest.code": say("The code from the authorization endpoint. It works once, for a minute."),
  redirect_uri: say("The `redirect_uri` of the authorization request, letter for letter."),
  code_verifier: say(
    "Proves that it was this app that asked for the code (RFC 7636 §4.5); needed if it sent a challenge."
  ),
  refresh_token: say("The refresh token. It is replaced with each use."),
  "TokenRequest.scope": say("Scopes for the new access token alone, among those that were granted (RFC 6749 §6)."),
  access_token: say("The access token, a JWT (RFC 9068)."),
  token_type: say("How the access token is sent: as a bearer token (RFC 6750)."),
  expires_in: say(
    "The seconds for which the access token works: 1800, or fewer where the authorization of the user ends before."
  ),
  refresh_token_timeout: say(
    "The seconds for which the refresh token may be held without being used "
      + "([draft](https://datatracker.ietf.org/doc/draft-ietf-oauth-refresh-token-expiration/02/))."
  ),
  authorization_expires_in: say(
    "The seconds until the authorization of the user ends, however often the tokens are refreshed. Ask the user again "
      + "before."
  ),
  "TokenResponse.scope": say(
    "The scopes of the access token, separated by spaces; empty for a legacy grant, which none restricts."
  ),
  token: say("The token, of either kind."),
  token_type_hint: say("`access_token` or `refresh_token`, to be found faster; any other value is ignored."),
  active: say("True for a token that can be used now. Of others nothing else is said."),
  "IntrospectionResponse.scope": say("The scopes of the token, separated by spaces."),
  unrestricted: say("Present for tokens of legacy grants, which no scope restricts."),
  "IntrospectionResponse.client_id": say("The app that holds the token."),
  "IntrospectionResponse.username": say("For resource servers, and for apps whose token may read the profile."),
  exp: say("When the token ends, in seconds since 1970."),
  iat: say("When the token was issued, in seconds since 1970."),
  aud: say("The API that the token is for."),
  iss: say("The server that issued the token."),
  jti: say("The id of the token."),
  grant_id: say("The grant, which all tokens of one consent share."),
  ...sameIn("error", [
    "InvalidRequest",
    "InvalidClient",
    "InvalidBearer",
    "InvalidGrant",
    "InvalidScope",
    "UnauthorizedClient",
    "UnsupportedGrantType",
    "TemporarilyUnavailable"
  ], "The error for programs."),
  error_description: say("The error for the app's developer."),

  // Metadata
  "ServerMetadata.issuer": say("The name of this server, which its tokens and answers carry (`iss`)."),
  authorization_endpoint: say("Where an app sends its user."),
  token_endpoint: say("Where an app gets tokens."),
  revocation_endpoint: say("Where an app ends a grant (RFC 7009)."),
  introspection_endpoint: say("Where apps and APIs ask about a token (RFC 7662)."),
  userinfo_endpoint: say("Where an app reads the user's profile as claims."),
  jwks_uri: say("Where the keys are that verify access tokens."),
  keys: say("The keys, each with its `kid`."),
  scopes_supported: say("Every scope that is not retired."),
  protected_resources: say(
    "All resources for which there are tokens, the API among them (RFC 9728 §4); absent where it is the only one."
  ),
  response_types_supported: say("Codes alone."),
  response_modes_supported: say("In the query alone."),
  grant_types_supported: say("What tokens can be asked for with."),
  token_endpoint_auth_methods_supported: say("How an app authenticates; `none` is for public apps."),
  revocation_endpoint_auth_methods_supported: say("How an app authenticates there."),
  introspection_endpoint_auth_methods_supported: say("How an app or an API authenticates there."),
  code_challenge_methods_supported: say("How a PKCE challenge is made of its verifier (RFC 7636)."),
  client_id_metadata_document_supported: say(
    "Whether a `client_id` may be the address of a document in which the app describes itself "
      + "([draft](https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/))."
  ),
  refresh_token_expiration_types_supported: say(
    "What the answers of the token endpoint say of ends: `authorization_expires_in` and `refresh_token_timeout`."
  ),
  authorization_response_iss_parameter_supported: say("Answers to the app carry `iss` (RFC 9207)."),
  ui_locales_supported: say("Languages of the pages (BCP 47), for `ui_locales`."),
  resource: say("The API, as the audience of tokens names it."),
  authorization_servers: say("The servers whose tokens it takes."),
  bearer_methods_supported: say("Where it takes tokens: in the header alone."),
  resource_name: say("The name of the API, for people.")
}
