#!/usr/bin/env node
// The command of the package (`npx slotkey`), which checks the Node that it was given before it loads the rest.
require("./start.cjs")
import("./cli.js")
