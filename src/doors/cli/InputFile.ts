import * as NodeStream from "@effect/platform-node/NodeStream"
import type { Stream } from "effect"
import { createReadStream } from "node:fs"

/** The bytes of a file, which may be a pipe: Effect's file system reads at positions, and a pipe has none. */
export const read = <E>(path: string, onError: () => E): Stream.Stream<Uint8Array, E> =>
  NodeStream.fromReadable({ evaluate: () => createReadStream(path), onError })
