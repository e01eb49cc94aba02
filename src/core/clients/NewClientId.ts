import { createHash, randomBytes } from "node:crypto"
import { ClientId, type UserId } from "../../domain/Ids.ts"

/** An id that nobody can guess. */
export const random = (): ClientId => fromBytes(randomBytes(12))

/** The id of what one owner makes under one name: the same each time. */
export const of = (owner: UserId, name: string): ClientId =>
  fromBytes(createHash("sha256").update(`${owner}\0${name}`).digest())

const fromBytes = (bytes: Buffer): ClientId => ClientId.make(`slk_client_${bytes.toString("hex").slice(0, 24)}`)
