import { Context, Duration, Effect, Layer, Option, Schema, Semaphore } from "effect"

/** The bytes are no picture that is taken. */
class NotAPicture extends Schema.TaggedError<NotAPicture>()("NotAPicture", {}) {}

/** Loads `sharp`, an optional dependency; tests put something else in its place. */
export const SharpModule = Context.Reference<() => Promise<Pick<typeof import("sharp"), "default">>>(
  "slotkey/foundation/pictures/SharpModule",
  { defaultValue: () => () => import("sharp") }
)

/**
 * Makes small pictures of those that others send. The library is loaded at the first use, so that servers which need
 * none hold none in memory, and makes one picture at a time: its thread is one of those that resolve names and read
 * files.
 */
export class Pictures extends Context.Service<Pictures, {
  /** False where `sharp` is not installed, or not for this platform. */
  readonly isAvailable: Effect.Effect<boolean>
  /**
   * Decodes a PNG, JPEG or WebP, whatever it was said to be, and re-encodes it: a WebP of at most `side` pixels each
   * way, upright, without metadata, and of an animation the first frame.
   */
  smallWebp(bytes: Uint8Array, side: number): Effect.Effect<Uint8Array, NotAPicture>
}>()("slotkey/foundation/pictures/Pictures") {
  static readonly layer: Layer.Layer<Pictures> = Layer.effect(
    Pictures,
    Effect.gen(function*() {
      const load = yield* SharpModule
      const oneAtATime = yield* Semaphore.make(1)

      const library = yield* Effect.tryPromise(load).pipe(
        Effect.map(({ default: sharp }) => {
          // Decoded pictures are needed once.
          sharp.cache(false)
          sharp.concurrency(1)
          // No other decoder sees a byte: SVG is a program, and each further format is one more parser to trust.
          sharp.block({ operation: ["VipsForeignLoad"] })
          sharp.unblock({ operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp"] })
          return Option.some(sharp)
        }),
        Effect.catch((error) =>
          Effect.as(
            Effect.logInfo("Apps have no logos: the optional dependency sharp cannot be loaded", error),
            Option.none()
          )
        ),
        Effect.cached
      )

      const smallWebp = Effect.fn("Pictures.smallWebp")(
        function*(bytes: Uint8Array, side: number) {
          const sharp = Option.getOrUndefined(yield* library)
          if (sharp === undefined) return yield* new NotAPicture()
          return yield* Effect.tryPromise({
            try: () =>
              sharp(bytes, { limitInputPixels: mostPixels, failOn: "error", sequentialRead: true, pages: 1 })
                .autoOrient()
                .resize(side, side, { fit: "inside", withoutEnlargement: true })
                .webp({ quality: 90 })
                .timeout({ seconds: Duration.toSeconds(timeLimit) })
                .toBuffer(),
            catch: () => new NotAPicture()
          })
        },
        (self) => Effect.uninterruptible(self),
        oneAtATime.withPermits(1)
      )

      return Pictures.of({ isAvailable: Effect.map(library, Option.isSome), smallWebp })
    })
  )
}

/** In pixels: width times height of a picture that is decoded, which bounds the memory that it takes. */
export const mostPixels = 10_000_000

const timeLimit = Duration.seconds(2)
