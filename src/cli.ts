#!/usr/bin/env node
// @effect-diagnostics strictEffectProvide:off
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { accounts } from "./doors/cli/Accounts.ts"
import { apiKeys } from "./doors/cli/ApiKeys.ts"
import { explainFailure } from "./doors/cli/Failure.ts"
import { grants } from "./doors/cli/Grants.ts"
import { importLegacy } from "./doors/cli/ImportLegacy.ts"
import { jobs } from "./doors/cli/Jobs.ts"
import { keys } from "./doors/cli/Keys.ts"
import { resourceServers } from "./doors/cli/ResourceServers.ts"
import { setupLink } from "./doors/cli/SetupLink.ts"

Command.make("slotkey").pipe(
  Command.withDescription("Commands for the operators of a Slotkey server"),
  Command.withSubcommands([accounts, apiKeys, grants, importLegacy, jobs, keys, resourceServers, setupLink]),
  Command.run({ version: manifest.version }),
  explainFailure,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
