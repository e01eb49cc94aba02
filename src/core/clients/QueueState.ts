import { Schema } from "effect"
import { ClientStatus } from "./Client.ts"

/** The apps that a reviewer looks at; `waiting` are those with something to decide. */
export const QueueState = Schema.Literals(["waiting", ...ClientStatus.literals, "all"])
export type QueueState = typeof QueueState.Type
