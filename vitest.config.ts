import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/TemplateDatabase.ts"],
    // To load Effect and the server anew for each file would take a quarter of the time.
    isolate: false,
    setupFiles: ["test/support/NewProcess.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a database of its own; more files at once than cores only makes them wait for each other.
    maxWorkers: 2
  }
})
