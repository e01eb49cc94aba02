import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts a database of its own; more files at once than cores only makes them wait for each other.
    maxWorkers: 2
  }
})
