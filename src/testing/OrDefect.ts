import { Effect } from "effect"
import { BadRequest } from "../domain/ApiError.ts"

/** Ends the test when what it asks for cannot be made, with every fault in the message. */
export const orDefect = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  Effect.catch(self, (error) => Effect.die(error instanceof BadRequest ? new Error(withDetails(error)) : error))

const withDetails = ({ details = [], message }: BadRequest): string =>
  [message, ...details.map((fault) => `${fault.path} ${fault.message}`)].join(" ")
