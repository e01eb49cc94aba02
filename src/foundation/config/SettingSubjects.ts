/** The subjects of settings with their headings, in the order of docs/operations/settings.md. */
export const subjects = {
  addresses: "Addresses and ports",
  server: "Processes and time limits",
  catalogue: "Catalogue of scopes",
  brand: "Name and look",
  database: "Database",
  jobs: "Jobs",
  mail: "Mail",
  review: "Review",
  events: "Events to the platform",
  keys: "Keys",
  tokens: "Authorization and tokens",
  registration: "Dynamic registration",
  signIn: "Sign-in and sessions",
  identity: "Users from elsewhere",
  oidc: "Sign-in at an OpenID Connect provider",
  handover: "Sign-in by hand-over",
  proxy: "Sign-in by a proxy in front",
  legacy: "Legacy apps",
  leaks: "Leaked credentials",
  usage: "Use of rights",
  budgets: "Budgets",
  retention: "Retention",
  logs: "Logs",
  traces: "Traces"
} as const

export type Subject = keyof typeof subjects
