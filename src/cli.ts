#!/usr/bin/env node
// @effect-diagnostics strictEffectProvide:off
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { accounts } from "./cli/Accounts.ts"
import { apiKeys } from "./cli/ApiKeys.ts"
import { explained } from "./cli/Failure.ts"
import { importLegacy } from "./cli/ImportLegacy.ts"
import { jobs } from "./cli/Jobs.ts"
import { keys } from "./cli/Keys.ts"
import { resourceServers } from "./cli/ResourceServers.ts"
import { setupLink } from "./cli/SetupLink.ts"

Command.make("slotkey").pipe(
  Command.withDescription("Commands for the operators of a Slotkey server"),
  Command.withSubcommands([accounts, apiKeys, importLegacy, jobs, keys, resourceServers, setupLink]),
  Command.run({ version: manifest.version }),
  explained,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
