import { Layer } from "effect"
import { LegacyTraffic } from "./LegacyTraffic.ts"
import { Migration } from "./Migration.ts"
import { MigrationBoard } from "./MigrationBoard.ts"
import { MigrationMails } from "./MigrationMails.ts"

/** Services of this room, composed once for the server, over the audits that clients ask as well. */
export const MigrationServices = Layer.mergeAll(
  Migration.layer,
  MigrationBoard.layer,
  MigrationMails.layer
).pipe(
  Layer.provideMerge(LegacyTraffic.layer)
)
