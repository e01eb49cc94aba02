import { UserId } from "../../../domain/Ids.ts"

/**
 * Owner of an app that nobody here registered: one that describes itself by its document, or registered by itself. The
 * id of an account is a UUID, and never this.
 */
export const nobody = UserId.make("nobody")
