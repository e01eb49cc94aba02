import { Effect } from "effect"
import { OpenOutages } from "../../src/foundation/log/OutageLog.ts"

// Files share the process of their worker: what a server keeps as long as its process lives ends with each of them. Of
// a test clock that nobody puts forward, an outage would never be over.
Effect.runSync(OpenOutages).clear()
