/** Tables without a sweep, each with the reason why it does not grow, or what keeps it small. */
export const unswept: Readonly<Record<string, string>> = {
  accounts: "one row a person, until the account is deleted",
  catalogues: "one row each time that an operator changes the catalogue; a scope never comes back as another one",
  client_changes: "one row an app at most, while a change waits for its review",
  client_documents: "one row an app that describes itself, deleted with it",
  client_owners: "ten rows an app at most, until a co-owner leaves it",
  client_secrets: "two rows an app at most",
  clients: "one row an app, until its owner deletes it",
  deliveries: "deleted with its row of `outbox`",
  end_warnings: "one row an app",
  event_endpoints: "one row an app at most, until its owner removes the endpoint",
  grant_uses: "one row a grant that was used, deleted with its row of `grants`",
  identities: "one row a person who signs in elsewhere, deleted with its row of `accounts`",
  imported_refresh_tokens:
    "one row an imported token, kept for good: importing it again must not revive what has ended",
  logo_failures: "one row an address that an app had before logos were kept, or that was imported",
  logos: "a few rows an app: of the version that serves, of its change, and of those before the last decisions",
  mailed_link_tokens: "deleted with its row of `mailed_links`",
  migration_mails: "one row an app",
  migration_standings: "one row a legacy app",
  name_skeletons: "one row an app",
  resource_servers: "made by an operator, or by an administrator for one resource",
  resources: "made by an administrator",
  review_approvals: "one row an app at most, while what needs two approvals waits",
  review_claims: "one row an app at most, while a reviewer has claimed it",
  review_news: "one row a reviewer and app that waits, deleted when a digest has told of it",
  review_questions: "one row an app at most, while a review with a question is open",
  review_reminders: "one row an app",
  server_keys: "deleted by the job `KeyRotation` when the last token of a key has expired",
  slotkey_migrations: "one row a migration of the schema",
  test_app_stop: "one row at most",
  trusted_hosts: "made by a reviewer",
  website_looks: "one row an app at most, of the last time that its website was asked"
}

/**
 * Tables of the store of the jobs, where that is this database, each with the reason why it does not grow. BullMQ
 * deletes jobs itself: in each queue those that were done longer ago than `JOB_LIFETIME`, or are not among the last
 * 1,000, and those that failed longer ago than `DEAD_JOB_LIFETIME`.
 */
export const unsweptJobStore: Readonly<Record<string, string>> = {
  dedup: "no job has a deduplication id",
  dedup_next: "no job has a deduplication id",
  event: "BullMQ keeps the last 10,000 of each queue",
  job: "BullMQ deletes jobs by `JOB_LIFETIME` and `DEAD_JOB_LIFETIME`, when another of the queue ends",
  job_dependency: "no job has children",
  job_log: "no job writes a log",
  meta: "a few rows a queue",
  metrics: "two rows a queue",
  migration: "one row a migration of its schema",
  rate_limit: "one row a queue",
  relay_inbox: "not used",
  relay_node: "not used",
  relay_retained: "not used",
  relay_subscription: "not used",
  scheduler: "one row a queue"
}
