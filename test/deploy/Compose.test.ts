import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "yaml"
import { settings } from "../../src/foundation/config/Settings.ts"
import { compose, variables } from "./Compose.ts"
import { environment, project, read } from "./Dockerfile.ts"

const services = Object.entries(compose.services)
const ours = services.filter(([, { build }]) => build !== undefined)

/** Variables that the file cannot do without. */
const required = new Set(
  variables(read("docker-compose.yml")).filter(({ otherwise }) => otherwise.startsWith(":?")).map((v) => v.name)
)

describe("docker-compose.yml", () => {
  it("has two servers and a worker of one image, with settings that exist", () => {
    assert.sameMembers(ours.map(([name]) => name), ["server-1", "server-2", "worker"])
    const known = new Set(settings.map(({ name }) => name))
    const given = new Set([
      ...ours.flatMap(([, { environment = {} }]) => Object.keys(environment)),
      ...Object.keys(environment)
    ])
    assert.deepStrictEqual([...given].filter((name) => !known.has(name)), ["NODE_ENV"])
  })

  it.each(ours)("%s takes other settings from a file that may be missing", (_name, service) => {
    assert.deepStrictEqual(service.env_file, [{ path: "slotkey.env", required: false }])
    assert.include(read(".gitignore").split("\n"), "/slotkey.env")
  })

  it("says which Docker it needs, for what", () => {
    const guide = read("docs/operations/install.md")
    assert.isTrue(services.some(([, { healthcheck }]) => "start_interval" in healthcheck))
    assert.include(read("Dockerfile"), "--start-interval")
    assert.match(guide, /Docker Engine 25\.0 and Compose 2\.24, or newer: .*`start_interval`, and `env_file`/)
    assert.match(guide, /Docker Engine 25\.0 or newer, which knows `--start-interval`/)
  })

  it.each(ours)("%s is without rights: read-only, no capabilities, an init process", (_name, service) => {
    assert.isTrue(service.read_only)
    assert.isTrue(service.init)
    assert.deepStrictEqual(service.cap_drop, ["ALL"])
    assert.deepStrictEqual(service.security_opt, ["no-new-privileges:true"])
    assert.include(service.volumes ?? [], "data:/data")
  })

  it.each(services)("%s has a fixed image, a health check, and waits for healthy ones", (_name, service) => {
    if (service.build === undefined) assert.match(service.image, /^[a-z/]+:v?\d+\.\d+(?:\.\d+)?(?:-\w+)?$/)
    assert.strictEqual(service.healthcheck.test[0], "CMD")
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.property(compose.services, other)
      assert.strictEqual(condition, "service_healthy")
    }
  })

  it.each(services)("%s names networks, volumes and files that are there", (_name, service) => {
    assert.deepStrictEqual(service.networks.filter((name) => !(name in compose.networks)), [])
    for (const volume of service.volumes ?? []) {
      const [source = "", , mode] = volume.split(":")
      if (source.startsWith("./")) {
        assert.isTrue(existsSync(join(project, source)), source)
        assert.strictEqual(mode, "ro", source)
      } else assert.property(compose.volumes, source)
    }
  })

  it.each(services)(
    "%s is published on this machine only, and waits for names on a network of its own",
    (name, service) => {
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/)
      for (const other of Object.keys(service.depends_on ?? {})) {
        const shared = service.networks.filter((network) => compose.services[other]?.networks.includes(network))
        assert.isNotEmpty(shared, `${name} and ${other}`)
      }
    }
  )

  it("holds no secret: each is a variable without a default, and deploy/make-env makes them all", () => {
    const secret = /(?:KEY|PASSWORD|AUTH)$/
    for (const [service, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment).filter(([name]) => secret.test(name))) {
        assert.match(value, /^\$\{\w+:\?[^}]+\}$/, `${service} ${name}`)
      }
    }
    const folder = mkdtempSync(join(tmpdir(), "slotkey-env-"))
    try {
      mkdirSync(join(folder, "deploy"))
      copyFileSync(join(project, "deploy/make-env"), join(folder, "deploy/make-env"))
      execFileSync(join(folder, "deploy/make-env"), { stdio: "pipe" })
      const made = readFileSync(join(folder, ".env"), "utf8")
      const values = new Map(
        made.trim().split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)])
      )
      assert.sameMembers([...values.keys()], [...required])
      assert.strictEqual(new Set(values.values()).size, required.size)
      for (const value of values.values()) assert.match(value, /^[\w-]{43}$/)
      assert.strictEqual(statSync(join(folder, ".env")).mode & 0o777, 0o600)
      assert.throws(() => execFileSync(join(folder, "deploy/make-env"), { stdio: "pipe" }), /There is an .env already/)
      assert.strictEqual(readFileSync(join(folder, ".env"), "utf8"), made)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("lets nginx reach both servers, and Prometheus all operator's ports", () => {
    const proxied = [...read("deploy/nginx.conf").matchAll(/^ +server ([\w-]+):(\d+) /gm)].map(([, host, port]) =>
      `${host}:${port}`
    )
    assert.deepStrictEqual(proxied, ["server-1:3000", "server-2:3000"])
    const { scrape_configs } = parse(read("deploy/prometheus.yml"))
    const scraped = scrape_configs.flatMap((
      job: { static_configs: ReadonlyArray<{ targets: ReadonlyArray<string> }> }
    ) => job.static_configs.flatMap(({ targets }) => targets))
    assert.sameMembers(scraped, ours.map(([name]) => `${name}:${environment["OPERATOR_PORT"]}`))
  })

  it("gives each process longer to stop than it may take, and lets nginx forget a server that refused sooner", () => {
    const limit = defaultSeconds("DRAIN_DELAY") + defaultSeconds("REQUEST_TIMEOUT")
    for (const [name, { stop_grace_period = "" }] of ours) {
      assert.match(stop_grace_period, /^\d+s$/)
      assert.isAbove(Number.parseInt(stop_grace_period), limit, name)
    }
    for (const [, seconds] of read("deploy/nginx.conf").matchAll(/fail_timeout=(\d+)s/g)) {
      assert.isBelow(Number(seconds), defaultSeconds("DRAIN_DELAY"))
    }
  })

  it("gives Grafana the dashboard, and the source of data that its panels ask", () => {
    const { datasources: [source] } = parse(read("deploy/grafana/datasources.yml"))
    const { port } = new URL(source.url)
    assert.strictEqual(source.url, `http://prometheus:${port}`)
    assert.include(compose.services["prometheus"]?.ports?.[0], `:${port}`)
    const asked = [...read("docs/operations/grafana-dashboard.json").matchAll(/"datasource": (\{[^}]*\})/g)]
      .map(([, json = ""]) => JSON.parse(json))
    assert.isNotEmpty(asked)
    for (const { type, uid } of asked) assert.deepStrictEqual({ type, uid }, { type: source.type, uid: source.uid })
    const { providers: [provider] } = parse(read("deploy/grafana/dashboards.yml"))
    const mounted = (compose.services["grafana"]?.volumes ?? []).map((volume) => volume.split(":")[1])
    assert.include(mounted, `${provider.options.path}/grafana-dashboard.json`)
  })
})

/** Default of a duration that is given in seconds. */
const defaultSeconds = (name: string): number => {
  const text = settings.find((setting) => setting.name === name)?.default ?? ""
  assert.match(text, /^\d+ seconds\b/, name)
  return Number.parseInt(text)
}
