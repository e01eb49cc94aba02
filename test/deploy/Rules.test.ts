import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { basename } from "node:path"
import { parse } from "yaml"
import { assertTable } from "../support/DocumentTable.ts"
import { project, read } from "./Dockerfile.ts"
import { expressions, pageOf, panels, rules, selectors } from "./Rules.ts"

const hasPromtool = process.env["TEST_NO_SKIP"] === "1" || spawnSync("promtool", ["--version"]).status === 0
const promtool = (...args: ReadonlyArray<string>) => execFileSync("promtool", args, { cwd: project, stdio: "pipe" })

const alerts = rules.flatMap(({ alert, annotations, labels }) =>
  alert === undefined ? [] : [{ alert, annotations, severity: labels?.severity ?? "" }]
)

/** Metrics of docs/operations/metrics.md, which is held against what is exposed. */
const metrics = [...read("docs/operations/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \|.*?\|.*?\| (\w+) \|/gm)]
  .map(([, name = "", type = "", of = ""]) => ({ name, type, of }))

const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

describe("The rules of Prometheus", () => {
  it.skipIf(!hasPromtool)("are valid, and each alert fires when it should and not before", () => {
    promtool("check", "rules", "docs/operations/rules.yml")
    promtool("check", "config", "--syntax-only", "deploy/prometheus.yml")
    promtool("test", "rules", "test/deploy/rules.test.yml")
  })

  it("have a test for each alert", () => {
    const { tests } = parse(read("test/deploy/rules.test.yml"))
    const tested = tests.flatMap((
      test: { alert_rule_test: ReadonlyArray<{ alertname: string; exp_alerts?: unknown }> }
    ) => test.alert_rule_test.filter(({ exp_alerts }) => exp_alerts !== undefined).map(({ alertname }) => alertname))
    assert.sameMembers([...new Set(tested)], alerts.map(({ alert }) => alert))
  })

  it("have a page for each alert, which says what to do, and no page without an alert", () => {
    const pages = globSync("docs/operations/alerts/*.md", { cwd: project }).map((path) => basename(path, ".md"))
    assert.sameMembers(pages, alerts.map(({ alert }) => alert))
    for (const { alert, annotations } of alerts) {
      assert.strictEqual(annotations?.runbook_url, `{{ $externalLabels.slotkey_docs }}/operations/alerts/${alert}.md`)
      assert.match(pageOf(alert), /^# \w+\n\n[A-Z][^\n]+\.\n\n[A-Z][\s\S]+\n```(?:sh|sql)\n[\s\S]+\n```\n/, alert)
    }
  })

  it("name their pages below an address that Prometheus has", () => {
    const { external_labels } = parse(read("deploy/prometheus.yml")).global
    assert.match(external_labels.slotkey_docs, /^https:\/\/\S+\/docs$/)
    assert.include(read("docs/operations/README.md"), "`slotkey_docs`")
  })

  it("are listed with what they mean (UPDATE_DOCS=1 writes the table)", () => {
    assertTable(
      "docs/operations/README.md",
      "alerts",
      ["alert", "severity", "when"],
      alerts.map(({ alert, severity }) => [
        `[${alert}](alerts/${alert}.md)`,
        severity,
        pageOf(alert).split("\n\n")[1] ?? ""
      ])
    )
  })

  it("have pages whose commands of slotkey exist", () => {
    const commands = new Set(
      [...read("docs/operations/cli.md").matchAll(/^\| `([a-z -]+)` \|/gm)].map(([, name]) => name)
    )
    const named = alerts.flatMap(({ alert }) =>
      [...pageOf(alert).matchAll(/(?<=^|`)slotkey ((?:[a-z-]+ )?[a-z-]+)/gm)].map(([, name = ""]) => name)
    )
    assert.isNotEmpty(named)
    assert.deepStrictEqual(named.filter((name) => !commands.has(name)), [])
  })

  it("record each figure that workers share, so that it is not added up", () => {
    const shared = metrics.filter(({ name, of, type }) => of === "workers" && type === "gauge" && !name.endsWith("_up"))
    assert.isNotEmpty(shared)
    assert.deepStrictEqual(
      shared.map(({ name }) => name.replace("_", ":") + ":max").filter((name) => !recorded.has(name)),
      []
    )
    const plain = new RegExp(`\\b(?:${shared.map(({ name }) => name).join("|")})\\b`)
    const users = [
      ...rules.flatMap(({ expr, record }) => record === undefined ? [expr] : []),
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    ]
    assert.deepStrictEqual(users.filter((expr) => plain.test(expr)), [])
  })

  it("and the dashboard show every metric", () => {
    const all = expressions.join("\n")
    assert.deepStrictEqual(metrics.map(({ name }) => name).filter((name) => !all.includes(name)), [])
  })

  it("and the dashboard name recorded series that exist, and the dashboard explains each panel", () => {
    const named = expressions.flatMap(selectors).map((selector) => selector.replace(/\{.*/, "")).filter((name) =>
      name.includes(":")
    )
    assert.deepStrictEqual(named.filter((name) => !recorded.has(name)), [])
    for (const { description = "", targets = [], title } of panels) {
      assert.isNotEmpty(description, title)
      assert.isNotEmpty(targets, title)
    }
  })
})
