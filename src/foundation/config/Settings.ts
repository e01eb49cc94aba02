import { Config } from "effect"
import {
  baseUrl,
  claimValue,
  databaseAddress,
  duration,
  headerName,
  headers,
  hostList,
  httpUrl,
  instant,
  integer,
  keyBytes,
  keyPair,
  logLevel,
  mailbox,
  mapping,
  milliseconds,
  oneOf,
  optionalAddress,
  optionalDuration,
  optionalPort,
  optionalText,
  pairs,
  port,
  processes,
  schemes,
  secret,
  secureUrl,
  serverUrl,
  type Setting,
  setting,
  share,
  someOf,
  text,
  words
} from "./SettingTypes.ts"

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
  port: setting("addresses", "PORT", {
    unit: "TCP port, 0 for any that is free",
    default: "3000",
    meaning: "where the server listens"
  }, port(3000)),
  host: setting("addresses", "HOST", {
    unit: "address",
    default: "127.0.0.1",
    meaning: "the address to listen on; `0.0.0.0` for all"
  }, text("127.0.0.1")),
  serverProcesses: setting("server", "SERVER_PROCESSES", {
    unit: "number of processes, 1 to 256, or auto",
    default: "1",
    meaning:
      "how many processes serve requests on PORT, each with a core and 10 connections to the database; `auto` is " +
      "as many as there are cores; more than 1 needs DATABASE_URL"
  }, processes(256)),
  operatorHost: setting("addresses", "OPERATOR_HOST", {
    unit: "address",
    default: "127.0.0.1",
    meaning: "the address of the operator's port, of servers and of worker processes; `0.0.0.0` for all"
  }, text("127.0.0.1")),
  operatorPort: setting("addresses", "OPERATOR_PORT", {
    unit: "TCP port, 0 for any that is free",
    default: "PORT + 10; required with a PORT above 65525",
    meaning: "where the server shows operators its health, readiness and metrics"
  }, optionalPort),
  baseUrl: setting("addresses", "BASE_URL", {
    unit: "https address (http on loopback), no trailing slash",
    default: "http://localhost:PORT; required with PORT 0",
    meaning: "the API as its clients see it"
  }, baseUrl),
  authUrl: setting("addresses", "AUTH_URL", {
    unit: "https address (http on loopback), no trailing slash",
    default: "BASE_URL",
    meaning: "the web application: sign-in, consent, settings"
  }, baseUrl),
  issuer: setting("addresses", "ISSUER", {
    unit: "https address (http on loopback), no trailing slash",
    default: "BASE_URL",
    meaning: "`iss` of tokens and of authorization responses (RFC 8414, RFC 9207)"
  }, baseUrl),
  databaseUrl: setting("database", "DATABASE_URL", {
    unit: "postgres:// address with one or several hosts, as libpq reads it",
    default: "none: PGlite in DATA_DIR",
    meaning: "the PostgreSQL server, or a primary and its standbys; setting it is production mode"
  }, databaseAddress),
  databasePooler: setting("database", "DATABASE_POOLER", {
    unit: "transaction",
    default: "none: DATABASE_URL is PostgreSQL itself",
    meaning: "DATABASE_URL is a PgBouncer whose `pool_mode` is this"
  }, (name) => Config.option(Config.Literals(["transaction"], name))),
  databaseDirectUrl: setting("database", "DATABASE_DIRECT_URL", {
    unit: "postgres:// address with one or several hosts, as libpq reads it",
    default: "DATABASE_URL; required with DATABASE_POOLER",
    meaning: "PostgreSQL itself, for workers, commands and schema migrations"
  }, databaseAddress),
  tokenTimeout: setting("server", "TOKEN_TIMEOUT", {
    unit: "duration, 1 second to 1 minute",
    default: "3 seconds",
    meaning: "how long a token request or the check of an API call may take, until its answer; then that is 503"
  }, duration("3 seconds", "1 second", "1 minute")),
  requestTimeout: setting("server", "REQUEST_TIMEOUT", {
    unit: "duration, 1 second to 5 minutes",
    default: "10 seconds",
    meaning: "the same for a page or a request of the management API"
  }, duration("10 seconds", "1 second", "5 minutes")),
  drainDelay: setting("server", "DRAIN_DELAY", {
    unit: "duration, 0 seconds to 5 minutes",
    default: "5 seconds with DATABASE_URL, else 0 seconds",
    meaning: "how long the server still listens after SIGTERM, so that balancers see that it is no longer ready"
  }, optionalDuration("0 seconds", "5 minutes")),
  importTimeout: setting("database", "IMPORT_TIMEOUT", {
    unit: "duration, 1 second to 1 day",
    default: "5 minutes",
    meaning: "how long one statement may take that imports legacy clients, or ends many grants by an operator's command"
  }, duration("5 minutes", "1 second", "1 day")),
  migrationTimeout: setting("database", "MIGRATION_TIMEOUT", {
    unit: "duration, 1 second to 1 day",
    default: "10 minutes",
    meaning: "how long one statement of a migration of the schema may take"
  }, duration("10 minutes", "1 second", "1 day")),
  migrate: setting("database", "MIGRATE", {
    unit: "apart",
    default: "none: server and workers migrate the schema when they start",
    meaning:
      "only `slotkey migrate up` changes the schema: server and workers need no right to, and do not start when " +
      "it is behind"
  }, (name) => Config.option(Config.Literals(["apart"], name))),
  sweepTimeout: setting("database", "SWEEP_TIMEOUT", {
    unit: "duration, 1 second to 1 day",
    default: "1 minute",
    meaning: "how long one statement may take that deletes what is past its time, or audits legacy clients at night"
  }, duration("1 minute", "1 second", "1 day")),
  redisUrl: setting("jobs", "REDIS_URL", {
    unit: "redis:// or rediss:// address",
    default: "none: jobs in the database",
    meaning: "where BullMQ keeps its queues"
  }, serverUrl("redis:", "rediss:")),
  redisSentinels: setting("jobs", "REDIS_SENTINELS", {
    unit: "host:port, separated by commas",
    default: "none: REDIS_URL names the server",
    meaning:
      "the Sentinels that know which Redis is the master; REDIS_URL then has the master's name in place of a host"
  }, hostList("26379")),
  redisSentinelPassword: setting("jobs", "REDIS_SENTINEL_PASSWORD", {
    unit: "text",
    default: "none",
    meaning: "the password of the Sentinels themselves; Redis has its own in REDIS_URL"
  }, secret(1)),
  queueTimeout: setting("jobs", "QUEUE_TIMEOUT", {
    unit: "duration, 1 second to 1 minute",
    default: "10 seconds",
    meaning: "how long the store of the queues may take for one call; a connection is replaced when an answer is " +
      "overdue by half of it"
  }, duration("10 seconds", "1 second", "1 minute")),
  dataDir: setting("database", "DATA_DIR", {
    unit: "folder",
    default: "./data",
    meaning: "database, master key and mails of embedded mode"
  }, text("./data")),
  masterKey: setting("keys", "MASTER_KEY", {
    unit: "32 bytes in base64",
    default: "embedded mode keeps its own in DATA_DIR; required with DATABASE_URL",
    meaning: "encrypts the signing keys at rest; make one with `openssl rand -base64 32`"
  }, keyBytes),
  masterKeyPrevious: setting("keys", "MASTER_KEY_PREVIOUS", {
    unit: "32 bytes in base64",
    default: "none",
    meaning: "the previous master key, until `slotkey keys rotate-master` has run"
  }, keyBytes),
  smtpUrl: setting("mail", "SMTP_URL", {
    unit: "smtp:// or smtps:// address",
    default: "none: mails are files in DATA_DIR/mail",
    meaning: "the mail server"
  }, serverUrl("smtp:", "smtps:")),
  mailFrom: setting("mail", "MAIL_FROM", {
    unit: "mail address, with a name or without",
    default: "Slotkey <slotkey@localhost>",
    meaning: "the sender of mails"
  }, mailbox("Slotkey <slotkey@localhost>")),
  supportAddress: setting("mail", "SUPPORT_ADDRESS", {
    unit: "mail address",
    default: "none: mails name the administrators of the server",
    meaning: "where people get help when somebody else has changed the address of their account"
  }, optionalAddress),
  mailTimeout: setting("mail", "MAIL_TIMEOUT", {
    unit: "duration, 1 second to 5 minutes",
    default: "30 seconds",
    meaning: "how long the mail server or the webhook may take for one message"
  }, duration("30 seconds", "1 second", "5 minutes")),
  reviewWebhookUrl: setting("review", "REVIEW_WEBHOOK_URL", {
    unit: "https address (http on loopback)",
    default: "none",
    meaning: "receives every event of a review, signed as Standard Webhooks describes"
  }, secureUrl),
  reviewWebhookSecret: setting("review", "REVIEW_WEBHOOK_SECRET", {
    unit: "at least 16 characters",
    default: "none; required with REVIEW_WEBHOOK_URL",
    meaning: "the key of the webhook's signature"
  }, secret(16)),
  reviewDigestInterval: setting("review", "REVIEW_DIGEST_INTERVAL", {
    unit: "duration, 1 minute to 1 day",
    default: "15 minutes",
    meaning: "the least time between two mails to a reviewer about apps that wait for review"
  }, duration("15 minutes", "1 minute", "1 day")),
  reviewReminderAfter: setting("review", "REVIEW_REMINDER_AFTER", {
    unit: "duration, from 1 hour",
    default: "3 days",
    meaning: "reviewers are reminded of an app that has waited this long for its review, and again after as long"
  }, duration("3 days", "1 hour", "365 days")),
  migrationAuditDays: setting("legacy", "MIGRATION_AUDIT_DAYS", {
    unit: "days, 1 to 365",
    default: "30",
    meaning: "how far back the audit of a legacy client looks at its authorization requests"
  }, integer(30, 1, 365)),
  legacyScopeWords: setting("legacy", "LEGACY_SCOPE_WORDS", {
    unit: "words, separated by spaces or commas",
    default: "none",
    meaning:
      "words that the previous server accepted in `scope`: legacy apps may name them even where they look like one of " +
      "our scopes mistyped; words that do not are ignored in any case"
  }, words()),
  migrationObservation: setting("legacy", "MIGRATION_OBSERVATION", {
    unit: "duration, 1 hour to 90 days",
    default: "7 days",
    meaning: "how long a legacy client is observed before its requests tell that scopes can be saved without a loss"
  }, duration("7 days", "1 hour", "90 days")),
  legacyUndo: setting("legacy", "LEGACY_UNDO", {
    unit: "duration, 0 seconds to 365 days",
    default: "7 days",
    meaning: "how long the owner of a legacy client can undo the saving of its scopes"
  }, duration("7 days", "0 seconds", "365 days")),
  legacyIntrospectionUrl: setting("legacy", "LEGACY_INTROSPECTION_URL", {
    unit: "https address (http on loopback)",
    default: "none: no server is asked",
    meaning:
      "the introspection endpoint (RFC 7662) of the previous server, which is asked once about each refresh token of a legacy " +
      "app that no import has brought (docs/legacy.md)"
  }, secureUrl),
  legacyIntrospectionClientId: setting("legacy", "LEGACY_INTROSPECTION_CLIENT_ID", {
    unit: "text",
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "this server as a client of the previous server"
  }, optionalText),
  legacyIntrospectionClientSecret: setting("legacy", "LEGACY_INTROSPECTION_CLIENT_SECRET", {
    unit: "text",
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "the secret of that client"
  }, secret(1)),
  legacyIntrospectionIssuer: setting("legacy", "LEGACY_INTROSPECTION_ISSUER", {
    unit: "text",
    default: "`iss` of the answer, if SIGN_IN trusts it",
    meaning: "the issuer whose users the previous server names in `sub`, as linked accounts know them"
  }, optionalText),
  legacyIntrospectionUntil: setting("legacy", "LEGACY_INTROSPECTION_UNTIL", {
    unit: "instant such as 2026-11-21T02:30:00Z, or a day",
    default: "none; required with LEGACY_INTROSPECTION_URL",
    meaning: "when the asking ends by itself; from then on these five settings can be removed"
  }, instant),
  workerPort: setting("addresses", "WORKER_PORT", {
    unit: "TCP port, 0 for any that is free",
    default: "3001",
    meaning: "where the worker process serves health, readiness, metrics and the queue dashboard"
  }, port(3001)),
  dashboardPassword: setting("jobs", "DASHBOARD_PASSWORD", {
    unit: "at least 12 characters",
    default: "none: the worker process shows no dashboard",
    meaning: "opens the worker's dashboard at /queues to the user `operator`"
  }, secret(12)),
  dashboardUrl: setting("jobs", "DASHBOARD_URL", {
    unit: "http or https address",
    default: "/queues if the server does the jobs itself, else none",
    meaning: "where administrators reach the dashboard: their pages link to it"
  }, httpUrl),
  jobAttempts: setting("jobs", "JOB_ATTEMPTS", {
    unit: "number of attempts, 1 to 100",
    default: "60",
    meaning: "how often a job is tried before it is put aside for an operator"
  }, integer(60, 1, 100)),
  jobBackoff: setting("jobs", "JOB_BACKOFF", {
    unit: "duration, 10 milliseconds to 1 hour",
    default: "1 second",
    meaning: "the wait after the first failed attempt; it doubles with each, up to one hour"
  }, duration("1 second", "10 millis", "1 hour")),
  jobLock: setting("jobs", "JOB_LOCK", {
    unit: "duration, 1 second to 10 minutes",
    default: "30 seconds",
    meaning: "a job whose worker has been silent for this long is given to another"
  }, duration("30 seconds", "1 second", "10 minutes")),
  accessTokenAlgorithm: setting("keys", "ACCESS_TOKEN_ALGORITHM", {
    unit: "ES256, RS256 or EdDSA",
    default: "ES256",
    meaning: "the signature of new access tokens"
  }, oneOf(["ES256", "RS256", "EdDSA"], "ES256")),
  keyLifetime: setting("keys", "KEY_LIFETIME", {
    unit: "duration, from 1 day",
    default: "90 days",
    meaning: "how long a key of the server signs before the next takes over"
  }, duration("90 days", "1 day", "36500 days")),
  codeLifetime: setting("tokens", "CODE_LIFETIME", {
    unit: "duration, 1 second to 10 minutes",
    default: "60 seconds",
    meaning: "how long an authorization code can be exchanged"
  }, duration("60 seconds", "1 second", "10 minutes")),
  redirectSchemes: setting("tokens", "REDIRECT_SCHEMES", {
    unit: "private-use schemes without a dot, separated by spaces or commas; none that a browser runs, opens or sends",
    default: "none",
    meaning:
      "schemes such as `cursor` that public apps may register in redirect URIs, although any program can claim them; " +
      "reviewers get a warning"
  }, schemes),
  refreshGrace: setting("tokens", "REFRESH_GRACE", {
    unit: "duration, 0 seconds to 5 minutes",
    default: "30 seconds",
    meaning:
      "how long after its replacement a refresh token still gets the newest one, even if newer tokens were used; after " +
      "twice as long it counts as stolen"
  }, duration("30 seconds", "0 seconds", "5 minutes")),
  refreshGraceMax: setting("tokens", "REFRESH_GRACE_MAX", {
    unit: "duration, 0 seconds to 30 days",
    default: "24 hours",
    meaning:
      "how long after a rotation a confidential app still gets the same successor while that was not used; with " +
      "0 seconds only REFRESH_GRACE counts"
  }, duration("24 hours", "0 seconds", "30 days")),
  grantIdleLifetime: setting("tokens", "GRANT_IDLE_LIFETIME", {
    unit: "duration, from 30 minutes",
    default: "60 days",
    meaning:
      "a grant ends when it has not been refreshed for this long; an imported one only if its import set an idle end"
  }, duration("60 days", "30 minutes", "36500 days")),
  grantLifetime: setting("tokens", "GRANT_LIFETIME", {
    unit: "duration, from 30 minutes",
    default: "365 days",
    meaning: "a grant ends this long after the consent, however often it was refreshed"
  }, duration("365 days", "30 minutes", "36500 days")),
  sessionLifetime: setting("signIn", "SESSION_LIFETIME", {
    unit: "duration, from 5 minutes",
    default: "14 days",
    meaning: "a sign-in ends when it has not been used for this long"
  }, duration("14 days", "5 minutes", "400 days")),
  sessionMaxLifetime: setting("signIn", "SESSION_MAX_LIFETIME", {
    unit: "duration, 5 minutes to 400 days",
    default: "90 days",
    meaning: "a sign-in ends this long after it began, however often it is used"
  }, duration("90 days", "5 minutes", "400 days")),
  recentSignIn: setting("signIn", "RECENT_SIGN_IN", {
    unit: "duration, 1 minute to 400 days",
    default: "10 minutes",
    meaning: "who signed in longer ago signs in again before a dangerous act, such as a new key or another role"
  }, duration("10 minutes", "1 minute", "400 days")),
  oidcIssuer: setting("oidc", "OIDC_ISSUER", {
    unit: "https address (http on loopback)",
    default: "none; required with SIGN_IN `oidc`",
    meaning: "the OpenID Connect provider at which people sign in, as its metadata names it in `issuer`"
  }, secureUrl),
  oidcClientId: setting("oidc", "OIDC_CLIENT_ID", {
    unit: "text",
    default: "none; required with SIGN_IN `oidc`",
    meaning: "this server as a client of the provider"
  }, optionalText),
  oidcClientSecret: setting("oidc", "OIDC_CLIENT_SECRET", {
    unit: "text",
    default: "none: a public client, which proves itself with PKCE alone",
    meaning: "the secret of that client"
  }, secret(1)),
  oidcScopes: setting("oidc", "OIDC_SCOPES", {
    unit: "words, separated by spaces or commas",
    default: "openid profile email",
    meaning: "the scopes that are asked of the provider; `openid` is among them in any case"
  }, words("openid", "profile", "email")),
  setupLinkLifetime: setting("signIn", "SETUP_LINK_LIFETIME", {
    unit: "duration, 5 minutes to 30 days",
    default: "24 hours",
    meaning: "how long the link works that makes the first administrator"
  }, duration("24 hours", "5 minutes", "30 days")),
  invitationLifetime: setting("signIn", "INVITATION_LIFETIME", {
    unit: "duration, 1 hour to 90 days",
    default: "7 days",
    meaning: "how long the link works that makes the local account of an invited person"
  }, duration("7 days", "1 hour", "90 days")),
  authorizationRequestLifetime: setting("tokens", "AUTHORIZATION_REQUEST_LIFETIME", {
    unit: "duration, 1 minute to 1 day",
    default: "30 minutes",
    meaning: "how long a user may take to decide on what an app asks for"
  }, duration("30 minutes", "1 minute", "1 day")),
  ownerHistoryLifetime: setting("retention", "OWNER_HISTORY_LIFETIME", {
    unit: "duration, from 1 day",
    default: "30 days",
    meaning: "how long developers see refused requests of their apps, and API keys that they revoked or that have ended"
  }, duration("30 days", "1 day", "36500 days")),
  legacyHistoryLifetime: setting("retention", "LEGACY_HISTORY_LIFETIME", {
    unit: "duration, from 366 days, the furthest that MIGRATION_AUDIT_DAYS looks back",
    default: "400 days",
    meaning: "how long verdicts on legacy apps are kept, and the counts of requests from which they come"
  }, duration("400 days", "366 days", "36500 days")),
  jobLifetime: setting("retention", "JOB_LIFETIME", {
    unit: "duration, from 1 day",
    default: "7 days",
    meaning: "how long a job is kept that was done, and in DATA_DIR/mail a mail"
  }, duration("7 days", "1 day", "36500 days")),
  deadJobLifetime: setting("retention", "DEAD_JOB_LIFETIME", {
    unit: "duration, from 1 day",
    default: "90 days",
    meaning: "how long a job that was put aside can be replayed"
  }, duration("90 days", "1 day", "36500 days")),
  auditLifetime: setting("retention", "AUDIT_LIFETIME", {
    unit: "duration, from 1 day",
    default: "400 days",
    meaning: "how long entries of the audit log are kept, to the end of their UTC day"
  }, duration("400 days", "1 day", "36500 days")),
  auditExportDir: setting("retention", "AUDIT_EXPORT_DIR", {
    unit: "folder",
    default: "none: entries are deleted without a copy",
    meaning: "where workers write entries of the audit log before they delete them, as files of JSON lines"
  }, optionalText),
  signIn: setting("signIn", "SIGN_IN", {
    unit: "local, oidc, handover, proxy: one or several, separated by spaces or commas",
    default: "local",
    meaning: "how users sign in; where `local` is not named, nobody signs in with a password of this server"
  }, someOf(["local", "oidc", "handover", "proxy"], "local")),
  profileClaims: setting("identity", "PROFILE_CLAIMS", {
    unit: "field=claim pairs, separated by commas, percent-encoded",
    default: Object.entries(standardClaims).map(([field, claim]) => `${field}=${claim}`).join(","),
    meaning:
      `from which claim of the identity provider a field of the profile comes: ${profileFields.join(", ")}; added to ` +
      "the default, and a field without a claim is left out"
  }, mapping(profileFields, standardClaims)),
  emailVerification: setting("identity", "EMAIL_VERIFICATION", {
    unit: "claimed or assumed",
    default: "claimed",
    meaning:
      "whether an address of the identity provider counts only if `email_verified` says that it was verified, or also " +
      "(`assumed`) where the provider never says so; apps do not get one that does not count"
  }, oneOf(["claimed", "assumed"], "claimed")),
  administratorClaim: setting("identity", "ADMINISTRATOR_CLAIM", {
    unit: "claim=value",
    default: "none: the identity provider does not say who is an administrator",
    meaning:
      "who has this value in this claim, or among its values, is an administrator for CLAIMED_ROLE_LIFETIME after each " +
      "sign-in; a claim within another is named with a dot between"
  }, claimValue),
  reviewerClaim: setting("identity", "REVIEWER_CLAIM", {
    unit: "claim=value",
    default: "none: the identity provider does not say who is a reviewer",
    meaning: "the same for reviewers; an administrator needs no other role"
  }, claimValue),
  claimedRoleLifetime: setting("identity", "CLAIMED_ROLE_LIFETIME", {
    unit: "duration, 5 minutes to 400 days",
    default: "24 hours",
    meaning:
      "a role by ADMINISTRATOR_CLAIM or REVIEWER_CLAIM counts for this long after a sign-in, in browsers and for API keys; " +
      "then the account has the role that was set here"
  }, duration("24 hours", "5 minutes", "400 days")),
  handoverUrl: setting("handover", "HANDOVER_URL", {
    unit: "https address (http on loopback)",
    default: "none; required with SIGN_IN `handover`",
    meaning: "the platform's own sign-in page, which takes requests and sends answers (docs/identity.md)"
  }, secureUrl),
  handoverKey: setting("handover", "HANDOVER_KEY", {
    unit: "at least 32 characters, or two keys of that length, separated by a comma",
    default: "none; required with HANDOVER_URL",
    meaning:
      "what the platform's sign-in page and this server sign with, the first, and verify with, both; make one with " +
      "`openssl rand -base64 32`"
  }, keyPair(32)),
  handoverIssuer: setting("handover", "HANDOVER_ISSUER", {
    unit: "text",
    default: "the origin of HANDOVER_URL",
    meaning: "the platform as `iss` of its answers: its users are known by it and their `sub`, so it must not change"
  }, optionalText),
  proxyHeader: setting("proxy", "PROXY_HEADER", {
    unit: "name of a header",
    default: "none; required with SIGN_IN `proxy`",
    meaning: "the header in which the proxy in front asserts the user, by a JWT"
  }, headerName),
  proxyJwksUrl: setting("proxy", "PROXY_JWKS_URL", {
    unit: "https address (http on loopback)",
    default: "none; required with SIGN_IN `proxy`",
    meaning: "the keys of the proxy's JWTs, as a JWK Set"
  }, secureUrl),
  proxyIssuer: setting("proxy", "PROXY_ISSUER", {
    unit: "text",
    default: "none; required with SIGN_IN `proxy`",
    meaning: "`iss` of the proxy's JWTs"
  }, optionalText),
  proxyAudience: setting("proxy", "PROXY_AUDIENCE", {
    unit: "text",
    default: "none; required with SIGN_IN `proxy`",
    meaning: "`aud` of the proxy's JWTs: this server, and nothing else behind the proxy"
  }, optionalText),
  accountBudget: setting("budgets", "ACCOUNT_BUDGET", {
    unit: "actions per hour, 100 to 1000000",
    default: "300",
    meaning: "how often one account may sign in, change its apps, secrets and API keys, and have a logo fetched"
  }, integer(300, 100, 1_000_000)),
  addressBudget: setting("budgets", "ADDRESS_BUDGET", {
    unit: "actions per hour, 100 to 1000000",
    default: "1500",
    meaning:
      "the same for all accounts together behind one network address, how often a provider may sign users in there, and " +
      "about how many unknown refresh tokens from there the previous server is asked; a /64 of IPv6 is an address, a /56 has " +
      "twice as many and a /48 four times"
  }, integer(1_500, 100, 1_000_000)),
  logLevel: setting("logs", "LOG_LEVEL", {
    unit: "trace, debug, info, warn, error or none",
    default: "info",
    meaning: "the least severe lines that are in the log"
  }, logLevel("info")),
  accessLog: setting("logs", "ACCESS_LOG", {
    unit: "on or off",
    default: "off",
    meaning: "`on` has a line in the log, at level info, for every request to the server"
  }, oneOf(["on", "off"], "off")),
  otlpEndpoint: setting("traces", "OTEL_EXPORTER_OTLP_ENDPOINT", {
    unit: "http:// or https:// address, without credentials",
    default: "none: no traces are made",
    meaning: "the collector that takes traces by OTLP over HTTP, at its path `/v1/traces`"
  }, httpUrl),
  otlpTracesEndpoint: setting("traces", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", {
    unit: "http:// or https:// address, without credentials",
    default: "OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces`",
    meaning: "the same with its whole path"
  }, httpUrl),
  otlpHeaders: setting("traces", "OTEL_EXPORTER_OTLP_HEADERS", {
    unit: "name=value pairs, separated by commas, percent-encoded",
    default: "none",
    meaning: "headers of each request to the collector, such as its API key"
  }, headers),
  otlpProtocol: setting("traces", "OTEL_EXPORTER_OTLP_PROTOCOL", {
    unit: "http/protobuf or http/json",
    default: "http/protobuf",
    meaning: "how spans are written; gRPC is not supported"
  }, oneOf(["http/protobuf", "http/json"], "http/protobuf")),
  otlpTimeout: setting("traces", "OTEL_EXPORTER_OTLP_TIMEOUT", {
    unit: "milliseconds, 100 to 60000",
    default: "10000",
    meaning: "how long the collector may take for one batch, with repeats"
  }, milliseconds(10_000, 100, 60_000)),
  serviceName: setting("traces", "OTEL_SERVICE_NAME", {
    unit: "text",
    default: "`slotkey`, `slotkey-worker` or `slotkey-cli`, by the process",
    meaning: "the name of the service in traces"
  }, optionalText),
  resourceAttributes: setting("traces", "OTEL_RESOURCE_ATTRIBUTES", {
    unit: "name=value pairs, separated by commas, percent-encoded",
    default: "none",
    meaning: "what else traces say about the service, such as `deployment.environment.name=production`"
  }, pairs),
  requestTraceparent: setting("traces", "REQUEST_TRACEPARENT", {
    unit: "follow or ignore",
    default: "follow",
    meaning:
      "whether a request continues the trace that its `traceparent` names; with `ignore` each begins one of its own, so that " +
      "no stranger decides what is traced"
  }, oneOf(["follow", "ignore"], "follow")),
  tracesSampler: setting("traces", "OTEL_TRACES_SAMPLER", {
    unit: samplers.join(", "),
    default: "parentbased_always_on",
    meaning: "which traces are made; those with `parentbased_` follow the `traceparent` of a request that has one"
  }, oneOf(samplers, "parentbased_always_on")),
  tracesSamplerArg: setting("traces", "OTEL_TRACES_SAMPLER_ARG", {
    unit: "number, 0 to 1",
    default: "1",
    meaning: "the share of traces that a sampler with `traceidratio` makes"
  }, share(1)),
  trustedProxies: setting("addresses", "TRUSTED_PROXIES", {
    unit: "number of proxies",
    default: "0",
    meaning:
      "how many entries at the right of `X-Forwarded-For` our own proxies wrote; behind a proxy, 0 gives all callers " +
      "one address, and one of them who guesses passwords or secrets locks out the others"
  }, integer(0, 0, 10))
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
