import { Effect, Layer } from "effect"
import { TokenReuse } from "../src/foundation/jobs/kinds/TokenReuse.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import * as UserNotice from "./UserNotice.ts"

/** Mails a user that an app was disconnected, because a replaced refresh token of it was used again. */
export const layer = Layer.unwrap(Effect.map(UserNotice.mailer, (send) =>
  Worker.layer({
    kind: TokenReuse,
    concurrency: 4,
    handler: (payload, job) =>
      send(payload, job, (app, at) => ({
        subject: `We disconnected ${app}`,
        lines: [
          `On ${at} somebody used a token of ${app} that had been replaced. It may have been stolen, so the ` +
          "connection was ended: nobody can use it any more.",
          "If you still want to use the app, connect it again from there."
        ]
      }))
  })))
