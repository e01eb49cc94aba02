import { chmodSync } from "node:fs"

/**
 * Changes the mode of a file. A mounted volume may belong to another user, or support no modes: then it stays as it is.
 */
export const forOwnerAlone = (path: string, mode: number): void => {
  try {
    chmodSync(path, mode)
  } catch {}
}
