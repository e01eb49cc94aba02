import { Effect, Schema } from "effect"
import { type Check, examine, type Finding } from "../../../foundation/operator/Readiness.ts"

// What `slotkey doctor` looks at, beside the checks that every process makes of itself.

/** Checks and what to do when one is not `ok`. Those that a process makes as well have the same name there. */
const cures = {
  settings: "Correct it in the environment of all processes and restart them (docs/operations/settings.md).",
  database: "Check DATABASE_URL (without it, DATA_DIR) from here, the user and the password, and that PostgreSQL runs.",
  pooler:
    "Check DATABASE_URL, which is the pooler's while DATABASE_POOLER is set: its users, its databases, that it runs.",
  role:
    "Let servers sign in with a role that owns its database and nothing else (docs/operations/install.md#the-database).",
  clock: "Have a time service (chrony, systemd-timesyncd) set the clocks of both machines (docs/clocks.md).",
  schema: "Run slotkey migrate up (slotkey migrate status lists the steps), and start no older version.",
  keys: "Give every process the MASTER_KEY under which the keys were sealed; restore it if it is lost (docs/keys.md).",
  catalogue:
    "Give every process the same CATALOGUE; finish or withdraw what is announced (docs/catalogue.md#change-one).",
  "claimed-roles":
    "Revoke those keys (slotkey accounts list --json shows the accounts by claimedRole, slotkey api-keys list their keys), and give scripts keys of an account whose role was set here (docs/identity.md).",
  "ownerless-apps":
    "Give each of them to somebody (slotkey clients list --status ownerless, slotkey clients give), suspend it, or enable the account.",
  usage: "See docs/usage.md.",
  jobs: "Check REDIS_URL from here, the password, and that Redis runs.",
  mail:
    "Check SMTP_URL from here: host, port, user and password, whether the port speaks TLS at once (smtps://); and MAIL_FROM.",
  proxies: "Set TRUSTED_PROXIES to the number of proxies in front of the servers (docs/operations/scale.md#the-proxy).",
  webhook:
    "Check REVIEW_WEBHOOK_URL from the machines of workers, and that what it names runs; events are sent again for hours.",
  "platform-webhook":
    "Check PLATFORM_WEBHOOK_URL from the machines of workers, and that what it names runs; events are sent again for hours.",
  traces:
    "Check OTEL_EXPORTER_OTLP_ENDPOINT, its headers and OTEL_EXPORTER_OTLP_PROTOCOL, and that the collector runs.",
  "audit-export": "Give the user of workers the folder of AUDIT_EXPORT_DIR to write to, and room in it.",
  workers: "Start one: slotkey work. Or see in the log of the one that runs why it does no jobs.",
  "sign-in": "Check OIDC_ISSUER or PROXY_JWKS_URL, and that what it names can be reached from here.",
  "previous-server":
    "Check LEGACY_INTROSPECTION_URL from here, and that the previous server lets LEGACY_INTROSPECTION_CLIENT_ID introspect refresh tokens of all apps (docs/legacy.md).",
  "base-url":
    "Start a server, and have the proxy pass all paths of BASE_URL to it; check its name, port and certificate.",
  "auth-url":
    "Have the proxy pass the pages at AUTH_URL to a server, or drop AUTH_URL where they are at BASE_URL; check its certificate."
} as const

type Name = keyof typeof cures

export const Diagnosis = Schema.Struct({
  check: Schema.Literals(Object.keys(cures) as [Name, ...Array<Name>]),
  status: Schema.Literals(["ok", "degraded", "failed"]),
  detail: Schema.String,
  cure: Schema.NullOr(Schema.String)
})
export type Diagnosis = typeof Diagnosis.Type

/** Makes a check, within its limit of time. */
export const diagnose = <R>(check: Check<Name, R>): Effect.Effect<Diagnosis, never, R> =>
  Effect.map(examine(check), (finding) => diagnosisOf(check.name, finding))

/** Finding with its cure: the one of this very finding, if one is known. */
export const diagnosisOf = (check: Name, { detail, remedy = cures[check], status }: Finding): Diagnosis => ({
  check,
  status,
  detail,
  cure: status === "ok" ? null : remedy
})
