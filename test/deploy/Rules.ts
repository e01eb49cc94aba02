import { Schema } from "effect"
import { parse } from "yaml"
import { read } from "./Dockerfile.ts"

const Rule = Schema.Struct({
  record: Schema.optionalKey(Schema.String),
  alert: Schema.optionalKey(Schema.String),
  expr: Schema.String,
  labels: Schema.optionalKey(Schema.Struct({ severity: Schema.Literals(["critical", "warning"]) })),
  annotations: Schema.optionalKey(Schema.Struct({ summary: Schema.String, runbook_url: Schema.String }))
})

const File = Schema.Struct({ groups: Schema.Array(Schema.Struct({ rules: Schema.Array(Rule) })) })

/** Recording rules and alerts of docs/operations/rules.yml. */
export const rules = Schema.decodeUnknownSync(File)(parse(read("docs/operations/rules.yml"))).groups
  .flatMap(({ rules }) => rules)

/** Page of an alert. */
export const pageOf = (alert: string): string => read(`docs/operations/alerts/${alert}.md`)

const Panel = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  targets: Schema.optionalKey(Schema.Array(Schema.Struct({ expr: Schema.String })))
})

/** Panels of docs/operations/grafana-dashboard.json, without the titles between them. */
export const panels = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ panels: Schema.Array(Panel) })))(
  read("docs/operations/grafana-dashboard.json")
).panels.filter(({ type }) => type !== "row")

/** All expressions in PromQL, with the interval that Grafana would choose. */
export const expressions: ReadonlyArray<string> = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m")))
]

/** Series that an expression selects, as `name{matchers}`: of ours, of the runtime's, or recorded by a rule. */
export const selectors = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\b(?:(?:slotkey|http|nodejs|process)[_:][\w:]+|up\b)(?:\{[^}]*\})?/g)]
    .map(([selector]) => selector)
    .filter((selector) => !/^(?:http_route|http_response_status_code|http_request_method)$/.test(selector))

/** Labels by which an expression adds up. */
export const labels = (expression: string): ReadonlyArray<string> =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "))
