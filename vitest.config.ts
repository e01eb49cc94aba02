import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { Order } from "./test/support/Order.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/TemplateDatabase.ts"],
    // To load Effect and the server anew for each file would take a quarter of the time.
    isolate: false,
    setupFiles: ["test/support/NewProcess.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Two files more than there are cores: many wait for other programs or for limits to pass.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: Order },
    // What servers log is shown of tests that fail.
    silent: "passed-only"
  }
})
