#!/usr/bin/env node
// @effect-diagnostics strictEffectProvide:off
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { teardown } from "./doors/cli/Failure.ts"
import { operatorCommands } from "./doors/cli/OperatorCommands.ts"
import { serve, work } from "./doors/cli/Processes.ts"
import { run, slotkey } from "./doors/cli/Slotkey.ts"
import { testServer } from "./testing/server/Command.ts"

slotkey.pipe(
  Command.withSubcommands([...operatorCommands, serve, work, testServer]),
  run,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, teardown })
)
