import { Effect, Layer } from "effect"
import { CatalogueCheck } from "../core/catalogue/CatalogueCheck.ts"
import { KeyChecks } from "../core/keys/KeyChecks.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { DatabaseChecks } from "../foundation/database/DatabaseChecks.ts"
import { JobStoreCheck } from "../foundation/jobs/queue/JobStoreCheck.ts"
import { Collectors } from "../foundation/operator/Collectors.ts"
import { FileDescriptorCheck } from "../foundation/operator/FileDescriptorCheck.ts"
import { ProcessMetrics } from "../foundation/operator/ProcessMetrics.ts"
import { Readiness } from "../foundation/operator/Readiness.ts"

/** Services with which checks and figures of a process are registered, and what it tells of itself. */
export const OperatorServices = Layer.mergeAll(Readiness.layer, Collectors.layer, ProcessMetrics)

/** Checks of every process. */
export const Checks = Layer.mergeAll(
  DatabaseChecks,
  KeyChecks,
  CatalogueCheck,
  FileDescriptorCheck,
  Readiness.layerWatch
)

/** Checks and figures of a server; an embedded one brings the checks of its jobs with its workers. */
export const ServerChecks = Layer.merge(
  Checks,
  Layer.unwrap(Effect.map(AppConfig, ({ database }) => database._tag === "Server" ? JobStoreCheck : Layer.empty))
)
