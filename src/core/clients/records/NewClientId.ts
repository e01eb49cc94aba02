import { createHash, randomBytes } from "node:crypto"
import { ClientId, type UserId } from "../../../domain/Ids.ts"

export const random = (): ClientId => fromBytes(randomBytes(12))

/** An id that depends on the owner and a name alone, so that making the same client twice finds the first one. */
export const of = (owner: UserId, name: string): ClientId =>
  fromBytes(createHash("sha256").update(`${owner}\0${name}`).digest())

const fromBytes = (bytes: Buffer): ClientId => ClientId.make(`slk_client_${bytes.toString("hex").slice(0, 24)}`)
