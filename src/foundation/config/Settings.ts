import * as Types from "./SettingTypes.ts"
import { type Setting, setting } from "./SettingTypes.ts"

/** Samplers of OpenTelemetry that need nothing but the trace's id and its parent. */
const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

/** Fields of a profile that an identity provider may fill. */
export const profileFields = [
  "name",
  "username",
  "email",
  "avatarUrl",
  "bio",
  "timeZone",
  "locale",
  "timeFormat",
  "weekStart",
  "organizationId",
  "organizationName",
  "defaultScheduleId"
] as const

/** Claims of OpenID Connect Core 1.0 §5.1 for those that it knows. */
const standardClaims = {
  name: "name",
  username: "preferred_username",
  email: "email",
  avatarUrl: "picture",
  timeZone: "zoneinfo",
  locale: "locale"
} as const

/**
 * Every setting with its subject, its name in the environment, unit, default and meaning. The type of the settings, the
 * messages about mistakes and docs/operations/settings.md follow this table.
 */
export const table = {
  port: setting("addresses", "PORT", Types.port(3000), {
    meaning: "where the server listens"
  }),
  host: setting("addresses", "HOST", Types.text("address", "127.0.0.1"), {
    meaning: "the address to listen on; `0.0.0.0` for all"
  }),
  serverProcesses: setting("server", "SERVER_PROCESSES", Types.processes(256), {
    meaning:
      "how many processes serve requests on PORT, each with a core and 10 connections to the database; `auto` is " +
      "as many as there are cores; more than 1 needs DATABASE_URL"
  }),
  operatorHost: setting("addresses", "OPERATOR_HOST", Types.text("address", "127.0.0.1"), {
    meaning: "the address of the operator's port, of servers and of worker processes; `0.0.0.0` for all"
  }),
  operatorPort: setting("addresses", "OPERATOR_PORT", Types.optionalPort, {
    default: "PORT + 10; required with a PORT above 65525",
    meaning: "where the server shows operators its health, readiness and metrics"
  }),
  baseUrl: setting("addresses", "BASE_URL", Types.baseUrl, {
    default: "http://localhost:PORT; required with PORT 0",
    meaning: "the API as its clients see it"
  }),
  authUrl: setting("addresses", "AUTH_URL", Types.baseUrl, {
    default: "BASE_URL",
    meaning: "the web application: sign-in, consent, settings"
  }),
  issuer: setting("addresses", "ISSUER", Types.baseUrl, {
    default: "BASE_URL",
    meaning: "`iss` of tokens and of authorization responses (RFC 8414, RFC 9207)"
  }),
  databaseUrl: setting("database", "DATABASE_URL", Types.databaseAddress, {
    default: "none: PGlite in DATA_DIR",
    meaning: "the PostgreSQL server, or a primary and its standbys; setting it is production mode"
  }),
  databasePooler: setting("database", "DATABASE_POOLER", Types.optionalWord("transaction"), {
    default: "none: DATABASE_URL is PostgreSQL itself",
    meaning: "DATABASE_URL is a PgBouncer whose `pool_mode` is this"
  }),
  databaseDirectUrl: setting("database", "DATABASE_DIRECT_URL", Types.databaseAddress, {
    default: "DATABASE_URL; required with DATABASE_POOLER",
    meaning: "PostgreSQL itself, for workers, commands and schema migrations"
  }),
  catalogue: setting("catalogue", "CATALOGUE", Types.optionalFile, {
    default: "none: the catalogue of the specification",
    meaning: "the scopes and operations of the API, the same on every node (docs/catalogue.md)"
  }),
  apiBaseScopes: setting("catalogue", "API_BASE_SCOPES", Types.words(), {
    unit: "scopes of the catalogue, separated by spaces or commas",
    default: "the scope of the profile",
    meaning:
      "the few scopes with which a client begins that knows nothing else of the API: the resource metadata and " +
      "challenges without an operation name them (docs/clients.md)"
  }),
  metadataScopes: setting("catalogue", "METADATA_SCOPES", Types.oneOf(["all", "base"], "all"), {
    meaning:
      "what `scopes_supported` of the server metadata lists: all scopes, or those of API_BASE_SCOPES alone, which " +
      "clients can ask for that ask for whatever is listed"
  }),
  brand: setting("brand", "BRAND", Types.optionalFile, {
    default: "none: the name and the look of Slotkey",
    meaning: "the platform's own name and look for pages and mails, the same on every node (docs/brand.md)"
  }),
  tokenTimeout: setting("server", "TOKEN_TIMEOUT", Types.duration("3 seconds", "1 second", "1 minute"), {
    meaning: "how long a token request or the check of an API call may take, until its answer; then that is 503"
  }),
  requestTimeout: setting("server", "REQUEST_TIMEOUT", Types.duration("10 seconds", "1 second", "5 minutes"), {
    meaning: "the same for a page or a request of the management API"
  }),
  drainDelay: setting("server", "DRAIN_DELAY", Types.optionalDuration("0 seconds", "5 minutes"), {
    default: "5 seconds with DATABASE_URL, else 0 seconds",
    meaning: "how long the server still listens after SIGTERM, so that balancers see that it is no longer ready"
  }),
  importTimeout: setting("database", "IMPORT_TIMEOUT", Types.duration("5 minutes", "1 second", "1 day"), {
    meaning:
      "how long one statement may take that imports legacy clients, or ends or counts many grants for an operator"
  }),
  migrationTimeout: setting("database", "MIGRATION_TIMEOUT", Types.duration("10 minutes", "1 second", "1 day"), {
    meaning: "how long one statement of a migration of the schema may take"
  }),
  migrate: setting("database", "MIGRATE", Types.optionalWord("apart"), {
    default: "none: server and workers migrate the schema when they start",
    meaning:
      "only `slotkey migrate up` changes the schema: server and workers need no right to, and do not start when " +
      "it is behind"
  }),
  sweepTimeout: setting("database", "SWEEP_TIMEOUT", Types.duration("1 minute", "1 second", "1 day"), {
    meaning: "how long one statement may take that deletes what is past its time, or audits legacy clients at night"
  }),
  redisUrl: setting("jobs", "REDIS_URL", Types.serverUrl("redis:", "rediss:"), {
    default: "none: jobs in the database",
    meaning: "where BullMQ keeps its queues"
  }),
  redisSentinels: setting("jobs", "REDIS_SENTINELS", Types.hostList("26379"), {
    default: "none: REDIS_URL names the server",
    meaning:
      "the Sentinels that know which Redis is the master; REDIS_URL then has the master's name in place of a host"
  }),
  redisSentinelPassword: setting("jobs", "REDIS_SENTINEL_PASSWORD", Types.secret(1), {
    meaning: "the password of the Sentinels themselves; Redis has its own in REDIS_URL"
  }),
  queueTimeout: setting("jobs", "QUEUE_TIMEOUT", Types.duration("10 seconds", "1 second", "1 minute"), {
    meaning: "how long the store of the queues may take for one call; a connection is replaced when an answer is " +
      "overdue by half of it"
  }),
  dataDir: setting("database", "DATA_DIR", Types.text("folder", "./data"), {
    meaning: "database, master key and mails of embedded mode"
  }),
  masterKey: setting("keys", "MASTER_KEY", Types.keyBytes, {
    default: "embedded mode keeps its own in DATA_DIR; required with DATABASE_URL",
    meaning: "encrypts the signing keys at rest; make one with `openssl rand -base64 32`"
  }),
  masterKeyPrevious: setting("keys", "MASTER_KEY_PREVIOUS", Types.keyBytes, {
    meaning: "the previous master key, until `slotkey keys rotate-master` has run"
  }),
  smtpUrl: setting("mail", "SMTP_URL", Types.serverUrl("smtp:", "smtps:"), {
    default: "none: mails are files in DATA_DIR/mail",
    meaning: "the mail server"
  }),
  mailFrom: setting("mail", "MAIL_FROM", Types.optionalMailbox, {
    default: "the name of the brand, at `no-reply@localhost`",
    meaning: "the sender of mails, where the brand names none (docs/brand.md)"
  }),
  supportAddress: setting("mail", "SUPPORT_ADDRESS", Types.optionalAddress, {
    default: "none: mails name the administrators of the server",
    meaning: "where people get help, where the brand names no place (docs/brand.md)"
  }),
  mailTimeout: setting("mail", "MAIL_TIMEOUT", Types.duration("30 seconds", "1 second", "5 minutes"), {
    meaning: "how long the mail server or the webhook may take for one message"
  }),
  reviewWebhookUrl: setting("review", "REVIEW_WEBHOOK_URL", Types.secureUrl, {
    meaning: "receives every event of a review, signed as Standard Webhooks describes"
  }),
  reviewWebhookSecret: setting("review", "REVIEW_WEBHOOK_SECRET", Types.secret(16), {
    default: "none; required with REVIEW_WEBHOOK_URL",
    meaning: "the key of the webhook's signature"
  }),
  platformWebhookUrl: setting("events", "PLATFORM_WEBHOOK_URL", Types.secureUrl, {
    default: "none: the platform is not told",
    meaning:
      "hears which grants have ended, and which apps are deleted, signed as Standard Webhooks describes (docs/events.md)"
  }),
  platformWebhookSecret: setting("events", "PLATFORM_WEBHOOK_SECRET", Types.secret(16), {
    default: "none; required with PLATFORM_WEBHOOK_URL",
    meaning: "the key of that webhook's signature"
  }),
  throwawayMailHosts: setting("review", "THROWAWAY_MAIL_HOSTS", Types.optionalFile, {
    default: "none: the check is not made, and reviewers read that",
    meaning:
      "hosts that give anybody a mail address for some minutes, one a line: reviewers are told when an app's owner or " +
      "contact has one (docs/operations/install.md)"
  }),
  reviewDigestInterval: setting("review", "REVIEW_DIGEST_INTERVAL", Types.duration("15 minutes", "1 minute", "1 day"), {
    meaning: "the least time between two mails to a reviewer about apps that wait for review"
  }),
  reviewReminderAfter: setting("review", "REVIEW_REMINDER_AFTER", Types.duration("3 days", "1 hour", "365 days"), {
    meaning: "reviewers are reminded of an app that has waited this long for its review, and again after as long"
  }),
  reviewUndoWindow: setting("review", "REVIEW_UNDO_WINDOW", Types.duration("10 minutes", "0 seconds", "1 hour"), {
    meaning:
      "how long reviewers can take back a decision of their own; the mail and the call of the webhook about it wait " +
      "that long. With 0 seconds nothing waits, and decisions stand"
  }),
  reviewTwoPeople: setting("review", "REVIEW_TWO_PEOPLE", Types.optionalWord("required"), {
    default: "none: one reviewer approves",
    meaning:
      "what has the highest risk, and an app of the reviewer's own, is approved once two reviewers have said so; no " +
      "host of apps that describe themselves is trusted then"
  }),
  clientDocuments: setting("review", "CLIENT_DOCUMENTS", Types.oneOf(["on", "off"], "on"), {
    meaning:
      "whether apps that nobody registered may come with the https address of a document about themselves as their " +
      "`client_id`; the document is read for people who are signed in, and the app waits for review like any other. " +
      "While it is off, those that came so get no new access"
  }),
  testApps: setting("review", "TEST_APPS", Types.optionalSwitch, {
    default: "off with DATABASE_URL, else on",
    meaning:
      "whether developers can make test apps, which need no review of their own: their owner and up to five guests use " +
      "them, without scopes of the highest risk (docs/decisions/review.md). Those that exist stand still while it is off"
  }),
  dynamicRegistration: setting(
    "registration",
    "DYNAMIC_REGISTRATION",
    Types.oneOf(["off", "token", "open"], "off"),
    {
      meaning:
        "whether apps may register by themselves (RFC 7591): with an initial access token of an administrator (`token`), " +
        "or anybody's within REGISTRATION_BUDGET (`open`). Each waits for review all the same (docs/registration.md)"
    }
  ),
  registrationBudget: setting(
    "registration",
    "REGISTRATION_BUDGET",
    Types.integer("registrations per hour", 20, 1, 100_000),
    {
      meaning:
        "how many apps may register from one network address without an initial access token; a /64 of IPv6 is an " +
        "address, a /56 has twice as many and a /48 four times"
    }
  ),
  registrationLifetime: setting(
    "registration",
    "REGISTRATION_LIFETIME",
    Types.duration("14 days", "1 day", "365 days"),
    {
      meaning:
        "how long an app that registered by itself is kept while nobody asks for its review, or nobody gives it access; " +
        "one that waits for its review, or that has access, stays"
    }
  ),
  migrationAuditDays: setting("legacy", "MIGRATION_AUDIT_DAYS", Types.integer("days", 30, 1, 365), {
    meaning: "how far back the audit of a legacy client looks at its authorization requests"
  }),
  legacyScopeWords: setting("legacy", "LEGACY_SCOPE_WORDS", Types.words(), {
    meaning:
      "words that the previous server accepted in `scope`: legacy apps may name them even where they look like one of " +
      "our scopes mistyped; words that do not are ignored in any case"
  }),
  migrationObservation: setting("legacy", "MIGRATION_OBSERVATION", Types.duration("7 days", "1 hour", "90 days"), {
    meaning: "how long a legacy client is observed before its requests tell that scopes can be saved without a loss"
  }),
  legacyUndo: setting("legacy", "LEGACY_UNDO", Types.duration("7 days", "0 seconds", "365 days"), {
    meaning: "how long the owner of a legacy client can undo the saving of its scopes"
  }),
  legacyIntrospectionUrl: setting("legacy", "LEGACY_INTROSPECTION_URL", Types.secureUrl, {
    default: "none: no server is asked",
    meaning:
      "the introspection endpoint (RFC 7662) of the previous server, which is asked once about each refresh token of a legacy " +
      "app that no import has brought (docs/legacy.md)"
  }),
  legacyIntrospectionClientId: setting("legacy", "LEGACY_INTROSPECTION_CLIENT_ID", Types.optionalText, {
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "this server as a client of the previous server"
  }),
  legacyIntrospectionClientSecret: setting("legacy", "LEGACY_INTROSPECTION_CLIENT_SECRET", Types.secret(1), {
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "the secret of that client"
  }),
  legacyIntrospectionIssuer: setting("legacy", "LEGACY_INTROSPECTION_ISSUER", Types.optionalText, {
    default: "`iss` of the answer, if SIGN_IN trusts it",
    meaning: "the issuer whose users the previous server names in `sub`, as linked accounts know them"
  }),
  legacyIntrospectionUntil: setting("legacy", "LEGACY_INTROSPECTION_UNTIL", Types.instant, {
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "when the asking ends by itself; from then on these five settings can be removed"
  }),
  secretScanningKeysUrl: setting("leaks", "SECRET_SCANNING_KEYS_URL", Types.secureUrl, {
    default: "none: no reports are taken",
    meaning:
      "where the public keys are of who may report leaked credentials to `/v2/secret-scanning/alerts`, in the format of " +
      "GitHub's partner programme, whose keys are at `https://api.github.com/meta/public_keys/secret_scanning`"
  }),
  workerPort: setting("addresses", "WORKER_PORT", Types.port(3001), {
    meaning: "where the worker process serves health, readiness, metrics and the queue dashboard"
  }),
  dashboardPassword: setting("jobs", "DASHBOARD_PASSWORD", Types.secret(12), {
    default: "none: the worker process shows no dashboard",
    meaning: "opens the worker's dashboard at /queues to the user `operator`"
  }),
  dashboardUrl: setting("jobs", "DASHBOARD_URL", Types.httpUrl, {
    default: "/queues if the server does the jobs itself, else none",
    meaning: "where administrators reach the dashboard: their pages link to it"
  }),
  jobAttempts: setting("jobs", "JOB_ATTEMPTS", Types.integer("number of attempts", 60, 1, 100), {
    meaning: "how often a job is tried before it is put aside for an operator"
  }),
  jobBackoff: setting("jobs", "JOB_BACKOFF", Types.duration("1 second", "10 millis", "1 hour"), {
    meaning: "the wait after the first failed attempt; it doubles with each, up to one hour"
  }),
  jobLock: setting("jobs", "JOB_LOCK", Types.duration("30 seconds", "1 second", "10 minutes"), {
    meaning: "a job whose worker has been silent for this long is given to another"
  }),
  accessTokenAlgorithm: setting("keys", "ACCESS_TOKEN_ALGORITHM", Types.oneOf(["ES256", "RS256", "EdDSA"], "ES256"), {
    meaning: "the signature of new access tokens"
  }),
  keyLifetime: setting("keys", "KEY_LIFETIME", Types.duration("90 days", "1 day"), {
    meaning: "how long a key of the server signs before the next takes over"
  }),
  codeLifetime: setting("tokens", "CODE_LIFETIME", Types.duration("60 seconds", "1 second", "10 minutes"), {
    meaning: "how long an authorization code can be exchanged"
  }),
  redirectSchemes: setting("tokens", "REDIRECT_SCHEMES", Types.schemes, {
    meaning:
      "schemes such as `cursor` that public apps may register in redirect URIs, although any program can claim them; " +
      "reviewers get a warning"
  }),
  refreshGrace: setting("tokens", "REFRESH_GRACE", Types.duration("30 seconds", "0 seconds", "5 minutes"), {
    meaning:
      "how long after its replacement a refresh token still gets the newest one, even if newer tokens were used; after " +
      "twice as long it counts as stolen"
  }),
  refreshGraceMax: setting("tokens", "REFRESH_GRACE_MAX", Types.duration("24 hours", "0 seconds", "30 days"), {
    meaning:
      "how long after a rotation a confidential app still gets the same successor while that was not used; with " +
      "0 seconds only REFRESH_GRACE counts"
  }),
  grantIdleLifetime: setting("tokens", "GRANT_IDLE_LIFETIME", Types.duration("60 days", "30 minutes"), {
    meaning:
      "a grant ends when it has not been refreshed for this long; an imported one only if its import set an idle end"
  }),
  grantLifetime: setting("tokens", "GRANT_LIFETIME", Types.duration("365 days", "30 minutes"), {
    meaning: "a grant ends this long after the consent, however often it was refreshed"
  }),
  sessionLifetime: setting("signIn", "SESSION_LIFETIME", Types.duration("14 days", "5 minutes", "400 days"), {
    meaning: "a sign-in ends when it has not been used for this long"
  }),
  sessionMaxLifetime: setting("signIn", "SESSION_MAX_LIFETIME", Types.duration("90 days", "5 minutes", "400 days"), {
    meaning: "a sign-in ends this long after it began, however often it is used"
  }),
  recentSignIn: setting("signIn", "RECENT_SIGN_IN", Types.duration("10 minutes", "1 minute", "400 days"), {
    meaning: "who signed in longer ago signs in again before a dangerous act, such as a new key or another role"
  }),
  oidcIssuer: setting("oidc", "OIDC_ISSUER", Types.secureUrl, {
    default: "none; required with SIGN_IN `oidc`",
    meaning: "the OpenID Connect provider at which people sign in, as its metadata names it in `issuer`"
  }),
  oidcClientId: setting("oidc", "OIDC_CLIENT_ID", Types.optionalText, {
    default: "none; required with SIGN_IN `oidc`",
    meaning: "this server as a client of the provider"
  }),
  oidcClientSecret: setting("oidc", "OIDC_CLIENT_SECRET", Types.secret(1), {
    default: "none: a public client, which proves itself with PKCE alone",
    meaning: "the secret of that client"
  }),
  oidcScopes: setting("oidc", "OIDC_SCOPES", Types.words("openid", "profile", "email"), {
    meaning: "the scopes that are asked of the provider; `openid` is among them in any case"
  }),
  setupLinkLifetime: setting("signIn", "SETUP_LINK_LIFETIME", Types.duration("24 hours", "5 minutes", "30 days"), {
    meaning: "how long the link works that makes the first administrator"
  }),
  invitationLifetime: setting("signIn", "INVITATION_LIFETIME", Types.duration("7 days", "1 hour", "90 days"), {
    meaning: "how long the link works that makes the local account of an invited person"
  }),
  authorizationRequestLifetime: setting(
    "tokens",
    "AUTHORIZATION_REQUEST_LIFETIME",
    Types.duration("30 minutes", "1 minute", "1 day"),
    {
      meaning: "how long a user may take to decide on what an app asks for"
    }
  ),
  usage: setting("usage", "USAGE", Types.oneOf(["on", "partial", "off"], "on"), {
    meaning:
      "whether calls are counted by the rights that they use; `partial` counts them where some servers verify tokens " +
      "offline, whose calls nobody sees, so that no right is called unused (docs/usage.md)"
  }),
  usageInterval: setting("usage", "USAGE_INTERVAL", Types.duration("1 minute", "1 second", "1 hour"), {
    meaning: "how long a server adds calls up before it writes the sums; one that is killed loses as much at most"
  }),
  usageCells: setting("usage", "USAGE_CELLS", Types.integer("number of sums", 100_000, 1_000, 10_000_000), {
    meaning:
      "how many sums a server has at once, of which 100,000 take 20 MB; they are written when half of them are in use. " +
      "Calls beyond are not told apart, and no right is called unused then"
  }),
  usageLifetime: setting("retention", "USAGE_LIFETIME", Types.duration("91 days", "28 days", "366 days"), {
    meaning: "how long the numbers of calls are kept; when a right was first and last used, as long as the grant"
  }),
  ownerHistoryLifetime: setting("retention", "OWNER_HISTORY_LIFETIME", Types.duration("30 days", "1 day"), {
    meaning: "how long developers see refused requests of their apps, and API keys that they revoked or that have ended"
  }),
  eventLifetime: setting("retention", "EVENT_LIFETIME", Types.duration("7 days", "2 days"), {
    meaning: "how long developers see the events that their apps were sent, and can send them again"
  }),
  legacyHistoryLifetime: setting("retention", "LEGACY_HISTORY_LIFETIME", Types.duration("400 days", "366 days"), {
    unit: "duration, from 366 days, the furthest that MIGRATION_AUDIT_DAYS looks back",
    meaning: "how long verdicts on legacy apps are kept, and the counts of requests from which they come"
  }),
  jobLifetime: setting("retention", "JOB_LIFETIME", Types.duration("7 days", "1 day"), {
    meaning: "how long a job is kept that was done, and in DATA_DIR/mail a mail"
  }),
  deadJobLifetime: setting("retention", "DEAD_JOB_LIFETIME", Types.duration("90 days", "1 day"), {
    meaning: "how long a job that was put aside can be replayed"
  }),
  auditLifetime: setting("retention", "AUDIT_LIFETIME", Types.duration("400 days", "1 day"), {
    meaning: "how long entries of the audit log are kept, to the end of their UTC day"
  }),
  auditExportDir: setting("retention", "AUDIT_EXPORT_DIR", Types.optionalText, {
    unit: "folder",
    default: "none: entries are deleted without a copy",
    meaning: "where workers write entries of the audit log before they delete them, as files of JSON lines"
  }),
  signIn: setting("signIn", "SIGN_IN", Types.someOf(["local", "oidc", "handover", "proxy"], "local"), {
    meaning: "how users sign in; where `local` is not named, nobody signs in with a password of this server"
  }),
  profileClaims: setting("identity", "PROFILE_CLAIMS", Types.mapping(profileFields, standardClaims), {
    meaning:
      `from which claim of the identity provider a field of the profile comes: ${profileFields.join(", ")}; added to ` +
      "the default, and a field without a claim is left out"
  }),
  emailVerification: setting("identity", "EMAIL_VERIFICATION", Types.oneOf(["claimed", "assumed"], "claimed"), {
    meaning:
      "whether an address of the identity provider counts only if `email_verified` says that it was verified, or also " +
      "(`assumed`) where the provider never says so; apps do not get one that does not count"
  }),
  administratorClaim: setting("identity", "ADMINISTRATOR_CLAIM", Types.claimValue, {
    default: "none: the identity provider does not say who is an administrator",
    meaning:
      "who has this value in this claim, or among its values, is an administrator for CLAIMED_ROLE_LIFETIME after each " +
      "sign-in; a claim within another is named with a dot between"
  }),
  reviewerClaim: setting("identity", "REVIEWER_CLAIM", Types.claimValue, {
    default: "none: the identity provider does not say who is a reviewer",
    meaning: "the same for reviewers; an administrator needs no other role"
  }),
  claimedRoleLifetime: setting(
    "identity",
    "CLAIMED_ROLE_LIFETIME",
    Types.duration("24 hours", "5 minutes", "400 days"),
    {
      meaning:
        "a role by ADMINISTRATOR_CLAIM or REVIEWER_CLAIM counts for this long after a sign-in, in browsers and for API keys; " +
        "then the account has the role that was set here"
    }
  ),
  organizationDeciderClaim: setting("identity", "ORGANIZATION_DECIDER_CLAIM", Types.claimValue, {
    default: "none: all users may decide",
    meaning:
      "who has this value in this claim, or among its values, at the last sign-in may decide what apps may do in the whole " +
      "organization at the highest risk; nobody else then"
  }),
  handoverUrl: setting("handover", "HANDOVER_URL", Types.secureUrl, {
    default: "none; required with SIGN_IN `handover`",
    meaning: "the platform's own sign-in page, which takes requests and sends answers (docs/identity.md)"
  }),
  handoverKey: setting("handover", "HANDOVER_KEY", Types.keyPair(32), {
    default: "none; required with HANDOVER_URL",
    meaning:
      "what the platform's sign-in page and this server sign with, the first, and verify with, both; make one with " +
      "`openssl rand -base64 32`"
  }),
  handoverIssuer: setting("handover", "HANDOVER_ISSUER", Types.optionalText, {
    default: "the origin of HANDOVER_URL",
    meaning: "the platform as `iss` of its answers: its users are known by it and their `sub`, so it must not change"
  }),
  proxyHeader: setting("proxy", "PROXY_HEADER", Types.headerName, {
    default: "none; required with SIGN_IN `proxy`",
    meaning: "the header in which the proxy in front asserts the user, by a JWT"
  }),
  proxyJwksUrl: setting("proxy", "PROXY_JWKS_URL", Types.secureUrl, {
    default: "none; required with SIGN_IN `proxy`",
    meaning: "the keys of the proxy's JWTs, as a JWK Set"
  }),
  proxyIssuer: setting("proxy", "PROXY_ISSUER", Types.optionalText, {
    default: "none; required with SIGN_IN `proxy`",
    meaning: "`iss` of the proxy's JWTs"
  }),
  proxyAudience: setting("proxy", "PROXY_AUDIENCE", Types.optionalText, {
    default: "none; required with SIGN_IN `proxy`",
    meaning: "`aud` of the proxy's JWTs: this server, and nothing else behind the proxy"
  }),
  accountBudget: setting("budgets", "ACCOUNT_BUDGET", Types.integer("actions per hour", 300, 100, 1_000_000), {
    meaning:
      "how often one account may sign in, change its apps, secrets and API keys, and have a logo fetched or a website asked"
  }),
  addressBudget: setting("budgets", "ADDRESS_BUDGET", Types.integer("actions per hour", 1_500, 100, 1_000_000), {
    meaning:
      "the same for all accounts together behind one network address, how often a provider may sign users in there, and " +
      "about how many unknown refresh tokens from there the previous server is asked; a /64 of IPv6 is an address, a /56 has " +
      "twice as many and a /48 four times"
  }),
  logLevel: setting("logs", "LOG_LEVEL", Types.logLevel("info"), {
    meaning: "the least severe lines that are in the log"
  }),
  accessLog: setting("logs", "ACCESS_LOG", Types.oneOf(["on", "off"], "off"), {
    meaning: "`on` has a line in the log, at level info, for every request to the server"
  }),
  otlpEndpoint: setting("traces", "OTEL_EXPORTER_OTLP_ENDPOINT", Types.httpUrl, {
    default: "none: no traces are made",
    meaning: "the collector that takes traces by OTLP over HTTP, at its path `/v1/traces`"
  }),
  otlpTracesEndpoint: setting("traces", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", Types.httpUrl, {
    default: "OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces`",
    meaning: "the same with its whole path"
  }),
  otlpHeaders: setting("traces", "OTEL_EXPORTER_OTLP_HEADERS", Types.headers, {
    meaning: "headers of each request to the collector, such as its API key"
  }),
  otlpProtocol: setting(
    "traces",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    Types.oneOf(["http/protobuf", "http/json"], "http/protobuf"),
    {
      meaning: "how spans are written; gRPC is not supported"
    }
  ),
  otlpTimeout: setting("traces", "OTEL_EXPORTER_OTLP_TIMEOUT", Types.milliseconds(10_000, 100, 60_000), {
    meaning: "how long the collector may take for one batch, with repeats"
  }),
  serviceName: setting("traces", "OTEL_SERVICE_NAME", Types.optionalText, {
    default: "`slotkey`, `slotkey-worker` or `slotkey-cli`, by the process",
    meaning: "the name of the service in traces"
  }),
  resourceAttributes: setting("traces", "OTEL_RESOURCE_ATTRIBUTES", Types.pairs, {
    meaning: "what else traces say about the service, such as `deployment.environment.name=production`"
  }),
  requestTraceparent: setting("traces", "REQUEST_TRACEPARENT", Types.oneOf(["follow", "ignore"], "follow"), {
    meaning:
      "whether a request continues the trace that its `traceparent` names; with `ignore` each begins one of its own, so that " +
      "no stranger decides what is traced"
  }),
  tracesSampler: setting("traces", "OTEL_TRACES_SAMPLER", Types.oneOf(samplers, "parentbased_always_on"), {
    meaning: "which traces are made; those with `parentbased_` follow the `traceparent` of a request that has one"
  }),
  tracesSamplerArg: setting("traces", "OTEL_TRACES_SAMPLER_ARG", Types.share(1), {
    meaning: "the share of traces that a sampler with `traceidratio` makes"
  }),
  trustedProxies: setting("addresses", "TRUSTED_PROXIES", Types.integer("number of proxies", 0, 0, 10), {
    meaning:
      "how many entries at the right of `X-Forwarded-For` our own proxies wrote; behind a proxy, 0 gives all callers " +
      "one address, and one of them who guesses passwords or secrets locks out the others"
  })
} as const

/** How far above `PORT` the operator's port is, unless it is set. */
export const operatorPortOffset = 10

/** Settings that must be there when another one is. */
export const requirements: ReadonlyArray<{ readonly setting: Key; readonly with: Key }> = [
  { setting: "redisUrl", with: "redisSentinels" },
  { setting: "redisSentinels", with: "redisSentinelPassword" },
  { setting: "masterKey", with: "databaseUrl" },
  { setting: "databaseDirectUrl", with: "databasePooler" },
  { setting: "databaseUrl", with: "databaseDirectUrl" },
  { setting: "databasePooler", with: "databaseDirectUrl" },
  { setting: "reviewWebhookSecret", with: "reviewWebhookUrl" },
  { setting: "platformWebhookSecret", with: "platformWebhookUrl" },
  { setting: "handoverKey", with: "handoverUrl" },
  { setting: "legacyIntrospectionClientId", with: "legacyIntrospectionUrl" },
  { setting: "legacyIntrospectionClientSecret", with: "legacyIntrospectionUrl" },
  { setting: "legacyIntrospectionUntil", with: "legacyIntrospectionUrl" },
  { setting: "legacyIntrospectionUrl", with: "legacyIntrospectionClientId" },
  { setting: "legacyIntrospectionUrl", with: "legacyIntrospectionClientSecret" },
  { setting: "legacyIntrospectionUrl", with: "legacyIntrospectionIssuer" },
  { setting: "legacyIntrospectionUrl", with: "legacyIntrospectionUntil" }
]

type Key = keyof typeof table

/** All settings, in the order of the table. */
export const settings: ReadonlyArray<Setting> = Object.values(table)
