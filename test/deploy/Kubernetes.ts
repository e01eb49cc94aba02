import { Schema } from "effect"
import { parseAllDocuments } from "yaml"
import { read } from "./Dockerfile.ts"

const Labels = Schema.Record(Schema.String, Schema.String)
const Metadata = Schema.Struct({ name: Schema.String, labels: Labels })
const Selector = Schema.Struct({ matchLabels: Labels })

const Probe = Schema.Struct({
  httpGet: Schema.Struct({ path: Schema.String, port: Schema.String }),
  periodSeconds: Schema.Int,
  timeoutSeconds: Schema.Int,
  failureThreshold: Schema.Int
})

const Resources = Schema.Struct({
  requests: Schema.Struct({ cpu: Schema.String, memory: Schema.String }),
  limits: Schema.Struct({ memory: Schema.String })
})

const Container = Schema.Struct({
  name: Schema.String,
  image: Schema.String,
  command: Schema.optionalKey(Schema.Array(Schema.String)),
  envFrom: Schema.Array(Schema.Struct({ configMapRef: Schema.Struct({ name: Schema.String }) })),
  env: Schema.Array(Schema.Struct({
    name: Schema.String,
    valueFrom: Schema.Struct({ secretKeyRef: Schema.Struct({ name: Schema.String, key: Schema.String }) })
  })),
  ports: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, containerPort: Schema.Int }))),
  startupProbe: Schema.optionalKey(Probe),
  livenessProbe: Schema.optionalKey(Probe),
  readinessProbe: Schema.optionalKey(Probe),
  resources: Resources,
  securityContext: Schema.Struct({
    readOnlyRootFilesystem: Schema.Boolean,
    allowPrivilegeEscalation: Schema.Boolean,
    capabilities: Schema.Struct({ drop: Schema.Array(Schema.String) })
  }),
  volumeMounts: Schema.Array(Schema.Struct({ name: Schema.String, mountPath: Schema.String }))
})

const Template = Schema.Struct({
  metadata: Schema.Struct({ labels: Labels }),
  spec: Schema.Struct({
    restartPolicy: Schema.optionalKey(Schema.String),
    automountServiceAccountToken: Schema.Boolean,
    enableServiceLinks: Schema.Boolean,
    terminationGracePeriodSeconds: Schema.optionalKey(Schema.Int),
    securityContext: Schema.Struct({
      runAsNonRoot: Schema.Boolean,
      runAsUser: Schema.Int,
      runAsGroup: Schema.Int,
      seccompProfile: Schema.Struct({ type: Schema.String })
    }),
    topologySpreadConstraints: Schema.optionalKey(Schema.Array(Schema.Struct({
      maxSkew: Schema.Int,
      topologyKey: Schema.String,
      whenUnsatisfiable: Schema.String,
      labelSelector: Selector
    }))),
    containers: Schema.Tuple([Container]),
    volumes: Schema.Array(Schema.Struct({ name: Schema.String, emptyDir: Schema.Struct({}) }))
  })
})

const ConfigMap = Schema.Struct({
  apiVersion: Schema.Literal("v1"),
  kind: Schema.Literal("ConfigMap"),
  metadata: Metadata,
  data: Labels
})

const Job = Schema.Struct({
  apiVersion: Schema.Literal("batch/v1"),
  kind: Schema.Literal("Job"),
  metadata: Metadata,
  spec: Schema.Struct({ backoffLimit: Schema.Int, template: Template })
})

const Deployment = Schema.Struct({
  apiVersion: Schema.Literal("apps/v1"),
  kind: Schema.Literal("Deployment"),
  metadata: Metadata,
  spec: Schema.Struct({
    replicas: Schema.Int,
    selector: Selector,
    strategy: Schema.Struct({
      type: Schema.Literal("RollingUpdate"),
      rollingUpdate: Schema.Struct({ maxUnavailable: Schema.Int, maxSurge: Schema.Int })
    }),
    template: Template
  })
})

const Service = Schema.Struct({
  apiVersion: Schema.Literal("v1"),
  kind: Schema.Literal("Service"),
  metadata: Metadata,
  spec: Schema.Struct({
    selector: Labels,
    ports: Schema.Array(Schema.Struct({ name: Schema.String, port: Schema.Int, targetPort: Schema.String }))
  })
})

const DisruptionBudget = Schema.Struct({
  apiVersion: Schema.Literal("policy/v1"),
  kind: Schema.Literal("PodDisruptionBudget"),
  metadata: Metadata,
  spec: Schema.Struct({ maxUnavailable: Schema.Int, selector: Selector })
})

const NetworkPolicy = Schema.Struct({
  apiVersion: Schema.Literal("networking.k8s.io/v1"),
  kind: Schema.Literal("NetworkPolicy"),
  metadata: Metadata,
  spec: Schema.Struct({
    podSelector: Selector,
    policyTypes: Schema.Array(Schema.String),
    ingress: Schema.Array(Schema.Struct({
      from: Schema.optionalKey(Schema.Array(Schema.Struct({ namespaceSelector: Selector }))),
      ports: Schema.Array(Schema.Struct({ port: Schema.Int }))
    }))
  })
})

const Kind = Schema.Union([ConfigMap, Job, Deployment, Service, DisruptionBudget, NetworkPolicy])

/** Objects of deploy/kubernetes.yaml, with unknown fields refused. */
const objects = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document) =>
  Schema.decodeUnknownSync(Kind)(document.toJS(), { onExcessProperty: "error" })
)

type Object = typeof Kind.Type
type OfKind<K extends Object["kind"]> = Extract<Object, { readonly kind: K }>

export type Container = typeof Container.Type

/** All objects of a kind. */
export const ofKind = <K extends Object["kind"]>(kind: K): ReadonlyArray<OfKind<K>> =>
  objects.filter((object): object is OfKind<K> => object.kind === kind)
