#!/usr/bin/env node
// Command of the package (`npx slotkey`), which checks the Node that it was given before it loads the rest.
require("./start.cjs")
// In the package src/cli.ts is beside this, compiled.
// oxlint-disable-next-line house/storeys
import("./cli.js")
