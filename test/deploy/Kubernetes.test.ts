// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { misspelled } from "../../src/foundation/config/SettingNames.ts"
import { settings } from "../../src/foundation/config/Settings.ts"
import { Collectors } from "../../src/foundation/operator/Collectors.ts"
import { OperatorRoutes } from "../../src/foundation/operator/OperatorRoutes.ts"
import { probeLimit, Readiness } from "../../src/foundation/operator/Readiness.ts"
import { commands } from "../support/CommandTree.ts"
import { httpSender } from "../support/HttpSender.ts"
import { compose } from "./Compose.ts"
import { environment, ofImage, read } from "./Dockerfile.ts"
import { type Container, ofKind } from "./Kubernetes.ts"

const workloads = [...ofKind("Job"), ...ofKind("Deployment")].map((object) => {
  const { containers: [container], ...pod } = object.spec.template.spec
  return { name: object.metadata.name, container, pod, labels: object.spec.template.metadata.labels }
})
const deployments = workloads.filter(({ name }) => name !== "slotkey-migrate")

/** Settings that the Secret holds, with values that the program takes. */
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://slotkey:secret@db.test/slotkey",
  REDIS_URL: "redis://:secret@redis.test",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
  SMTP_URL: "smtps://slotkey:secret@mail.test",
  DASHBOARD_PASSWORD: "a password for jobs"
}

/** Environment of a container. */
const environmentOf = ({ env, envFrom }: Container): Readonly<Record<string, string>> => {
  const maps = new Map(ofKind("ConfigMap").map(({ data, metadata }) => [metadata.name, data]))
  return {
    ...environment,
    ...Object.assign({}, ...envFrom.map(({ configMapRef }) => maps.get(configMapRef.name))),
    ...Object.fromEntries(env.map(({ name }) => [name, secrets[name] ?? ""]))
  }
}

const settingsOf = (container: Container) => {
  const provider = ConfigProvider.layer(ConfigProvider.fromEnv({ env: environmentOf(container) }))
  return Effect.all([AppConfig, misspelled]).pipe(Effect.provide(Layer.provideMerge(AppConfig.layer, provider)))
}

const mebibytes = (quantity: string): number => {
  assert.match(quantity, /^\d+Mi$/)
  return Number.parseInt(quantity)
}

describe("deploy/kubernetes.yaml", () => {
  it("has a migration, servers and workers of one image, that of this version", () => {
    assert.deepStrictEqual(workloads.map(({ name }) => name), ["slotkey-migrate", "slotkey-server", "slotkey-worker"])
    const [migrate, server, worker] = workloads.map(({ container }) => container)
    for (const { container: { image } } of workloads) {
      assert.strictEqual(image.split(":")[1], packageJson.version)
      assert.strictEqual(image, server?.image)
    }
    assert.isUndefined(server?.command, "the image's own")
    assert.deepStrictEqual(worker?.command, compose.services["worker"]?.command)
    const [program, ...words] = migrate?.command ?? []
    assert.strictEqual(program, "slotkey")
    assert.include(commands.map(({ path }) => path), words.join(" "))
  })

  it.effect.each(workloads)(
    "$name has settings that exist, and that the program takes",
    ({ container, name }) =>
      Effect.gen(function*() {
        const known = new Set(settings.map(({ name }) => name))
        const unknown = Object.keys(environmentOf(container)).filter((name) => !known.has(name))
        assert.deepStrictEqual(unknown, ["NODE_ENV"])
        const [config, mistaken] = yield* settingsOf(container)
        assert.deepStrictEqual(mistaken, [])
        assert.strictEqual(config.database._tag, "Server")
        assert.strictEqual(config.operatorHost, "0.0.0.0", "the node's probes come from outside")
        assert.strictEqual(config.trustedProxies, 1)
        assert.isTrue(config.serverProcesses === 1, `${name} has a core`)
      })
  )

  it("holds no secret: each is a key of one Secret, under the setting's name", () => {
    for (const { container: { env } } of workloads) {
      for (const { name, valueFrom: { secretKeyRef } } of env) {
        assert.deepStrictEqual(secretKeyRef, { name: "slotkey", key: name })
        assert.property(secrets, name)
      }
    }
    for (const { data } of ofKind("ConfigMap")) {
      for (const name of Object.keys(data)) {
        assert.notProperty(secrets, name)
        assert.notMatch(name, /(?:KEY|PASSWORD|SECRET)$/)
      }
    }
    const documented = /^kubectl create secret generic slotkey [^#]*# (.*)$/m.exec(read("docs/operations/install.md"))
      ?.[1]
    assert.sameMembers(documented?.match(/[A-Z]+_[A-Z]+/g) ?? [], Object.keys(secrets))
  })

  it.each(workloads)(
    "$name is without rights, as the image's user, and may write to /tmp alone",
    ({ container, pod }) => {
      const [user = "", group = ""] = ofImage("USER")[0]?.split(":") ?? []
      assert.deepStrictEqual(pod.securityContext, {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        seccompProfile: { type: "RuntimeDefault" }
      })
      assert.deepStrictEqual(container.securityContext, {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] }
      })
      assert.deepStrictEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [false, false])
      assert.deepStrictEqual(container.volumeMounts, [{ name: "tmp", mountPath: "/tmp" }])
      assert.deepStrictEqual(pod.volumes, [{ name: "tmp", emptyDir: {} }])
    }
  )

  it.effect.each(deployments)(
    "$name is probed where it answers, longer than an answer takes",
    ({ container }) =>
      Effect.gen(function*() {
        const { livenessProbe, readinessProbe, startupProbe } = container
        const send = yield* httpSender(OperatorRoutes)
        for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
          assert.isDefined(probe)
          assert.strictEqual((yield* send(probe.httpGet.path)).status, 200)
          assert.strictEqual(probe.httpGet.port, "operator")
          assert.isAbove(probe.timeoutSeconds, Duration.toSeconds(probeLimit))
        }
        assert.strictEqual(startupProbe?.httpGet.path, "/healthz")
        assert.strictEqual(livenessProbe?.httpGet.path, "/healthz", "a restart does not bring the database back")
        assert.strictEqual(readinessProbe?.httpGet.path, "/readyz")
        const ports = new Map(container.ports?.map(({ containerPort, name }) => [name, String(containerPort)]))
        assert.strictEqual(ports.get("operator"), environment["OPERATOR_PORT"])
        assert.strictEqual(ports.get("operator"), environment["WORKER_PORT"])
      }).pipe(Effect.provide(Layer.merge(Readiness.layer, Collectors.layer)))
  )

  it.effect.each(deployments)(
    "$name has longer to stop than it may take, and is seen to stop before it does",
    (one) =>
      Effect.gen(function*() {
        const [{ drainDelay, requestTimeout }] = yield* settingsOf(one.container)
        const limit = Duration.toSeconds(Duration.sum(drainDelay, requestTimeout))
        // As long as what else stops, and the jobs of a worker, may take (docs/operations/install.md).
        assert.isAtLeast(one.pod.terminationGracePeriodSeconds ?? 0, limit + 20)
        const { failureThreshold = 0, periodSeconds = 0 } = one.container.readinessProbe ?? {}
        assert.isAbove(Duration.toSeconds(drainDelay), failureThreshold * periodSeconds)
      })
  )

  it.each(ofKind("Deployment"))(
    "$metadata.name keeps some while others are replaced or moved",
    ({ metadata, spec }) => {
      assert.isAbove(spec.replicas, 1)
      assert.isBelow(spec.strategy.rollingUpdate.maxUnavailable, spec.replicas)
      assert.deepStrictEqual(spec.selector.matchLabels, spec.template.metadata.labels)
      const budget = ofKind("PodDisruptionBudget").find(({ metadata: { name } }) => name === metadata.name)
      assert.deepStrictEqual(budget?.spec, { maxUnavailable: 1, selector: spec.selector })
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
        assert.deepStrictEqual(labelSelector, spec.selector)
      }
    }
  )

  it("leads requests to the servers, and only Prometheus to the operator's ports", () => {
    const server = workloads.find(({ name }) => name === "slotkey-server")
    const [service] = ofKind("Service")
    assert.deepStrictEqual(service?.spec.selector, server?.labels)
    assert.deepStrictEqual(service?.spec.ports.map(({ targetPort }) => targetPort), ["http"])
    const http = server?.container.ports?.find(({ name }) => name === "http")?.containerPort
    assert.strictEqual(String(http), settings.find(({ name }) => name === "PORT")?.default)
    for (const { spec: { ingress, podSelector } } of ofKind("NetworkPolicy")) {
      for (const { labels } of workloads) assert.include(labels, podSelector.matchLabels)
      const open = ingress.filter(({ from }) => from === undefined).flatMap(({ ports }) => ports)
      assert.deepStrictEqual(open, [{ port: http }])
    }
  })

  it("gives each more memory than what the alert calls too much", () => {
    const [, alert = ""] = /process_resident_memory_bytes\{.*\} > (\S+)/.exec(read("docs/operations/rules.yml")) ?? []
    for (const { container: { resources } } of workloads) {
      assert.isAbove(mebibytes(resources.limits.memory) * 2 ** 20, Number(alert))
      assert.isBelow(mebibytes(resources.requests.memory), mebibytes(resources.limits.memory))
    }
  })
})
