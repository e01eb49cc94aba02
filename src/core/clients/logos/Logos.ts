import { Context, Duration, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ClientId } from "../../../domain/Ids.ts"
import { Broken, broken } from "../../../domain/Rule.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { fetchPublic } from "../../../foundation/outbound/PublicHttps.ts"
import { mostPixels, Pictures } from "../../../foundation/pictures/Pictures.ts"

/** Picture of an app as it is shown, and the digest by which it is named. */
export interface Logo {
  readonly digest: string
  readonly picture: Uint8Array
}

/** There is no picture to take at the address. */
class LogoRefused extends Schema.TaggedError<LogoRefused>()("LogoRefused", { reason: Broken }) {}

/**
 * Pictures of apps, as they were when the version of the app that shows them was submitted: the browser of a user asks
 * this server alone, and no app can show another picture after its review. A version names its picture by digest.
 */
export class Logos extends Context.Service<Logos, {
  /** False where this server cannot make pictures; then apps have none. */
  readonly areShown: Effect.Effect<boolean>
  /** Fetches what is at the address and makes the picture of it that is shown. */
  fetch(address: string): Effect.Effect<Logo, LogoRefused>
  /** Keeps the picture of a version that this transaction saves. */
  keep(clientId: ClientId, logo: Logo): Effect.Effect<void>
  /** Picture of this digest, as a WebP. */
  find(digest: string): Effect.Effect<Option.Option<Uint8Array>>
}>()("slotkey/core/clients/logos/Logos") {
  static readonly layer: Layer.Layer<Logos, never, AppConfig | SqlClient.SqlClient> = Layer.effect(
    Logos,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const pictures = yield* Pictures
      const { requestTimeout } = yield* AppConfig
      const fewAtATime = yield* Semaphore.make(4)
      // The form waits for it, and its answer needs time, too.
      const limit = Duration.times(requestTimeout, 1 / 2)

      const fetch = Effect.fn("Logos.fetch")(
        function*(address: string) {
          if (!(yield* pictures.isAvailable)) return yield* new LogoRefused({ reason: notShown })
          const bytes = yield* fetchPublic(address, mostBytes)
          const picture = yield* pictures.smallWebp(bytes, side)
          return { digest: createHash("sha256").update(picture).digest("base64url"), picture }
        },
        fewAtATime.withPermits(1),
        Effect.catchTags({
          FetchRefused: ({ reason }) => Effect.fail(new LogoRefused({ reason })),
          NotAPicture: () => Effect.fail(new LogoRefused({ reason: notAPicture }))
        }),
        Effect.timeoutOrElse({
          duration: limit,
          orElse: () =>
            Effect.fail(new LogoRefused({ reason: broken("logoSlow", { seconds: Duration.toSeconds(limit) }) }))
        })
      )

      const keep = Effect.fn("Logos.keep")(function*(clientId: ClientId, { digest, picture }: Logo) {
        yield* sql`INSERT INTO logos ${sql.insert({ digest, clientId, picture })} ON CONFLICT DO NOTHING`
        yield* sql`DELETE FROM logo_failures WHERE client_id = ${clientId}`
      }, Effect.orDie)

      const find = Effect.fn("Logos.find")(function*(digest: string) {
        if (!/^[\w-]{43}$/.test(digest)) return Option.none()
        const [row] = yield* sql<{ picture: Uint8Array }>`SELECT picture FROM logos WHERE digest = ${digest} LIMIT 1`
        return Option.map(Option.fromUndefinedOr(row), ({ picture }) => picture)
      }, Effect.orDie)

      return Logos.of({ areShown: pictures.isAvailable, fetch, keep, find })
    })
  ).pipe(Layer.provide(Pictures.layer))
}

const mostBytes = 2 * 1024 * 1024
// Three pixels for each at which pages draw it. Even noise is then below the 100 kB of the table.
const side = 192
const notShown = broken("logoNotShown")
const notAPicture = broken("logoForm", { most: mostPixels / 1_000_000 })
