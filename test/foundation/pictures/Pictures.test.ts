import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { default as sharp } from "sharp"
import { Pictures, SharpModule } from "../../../src/foundation/pictures/Pictures.ts"
import { colourOf, picture } from "../../support/PictureHost.ts"

const side = 192
const made = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const { smallWebp } = yield* Pictures
  const small = yield* smallWebp(bytes, side)
  return { small, ...(yield* Effect.promise(() => sharp(small).metadata())) }
})
const refused = Effect.fnUntraced(function*(bytes: Uint8Array) {
  const { smallWebp } = yield* Pictures
  return (yield* Effect.flip(smallWebp(bytes, side)))._tag
})
// Before the library of the service is told to decode nothing else.
const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } }).gif().toBuffer()
const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } }).tiff().toBuffer()
const avif = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } }).avif().toBuffer()

layer(Pictures.layer)("Pictures", (it) => {
  it.effect("makes a small WebP of a PNG, a JPEG and a WebP", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* (yield* Pictures).isAvailable)
      for (const format of ["png", "jpeg", "webp"] as const) {
        const answer = yield* made(yield* Effect.promise(() => picture("#0000ff", format, 600)))
        assert.deepStrictEqual([answer.format, answer.width, answer.height], ["webp", side, side])
        const [red = 0, green = 0, blue = 0] = yield* Effect.promise(() => colourOf(answer.small))
        assert.isTrue(red < 10 && green < 10 && blue > 245, `${red} ${green} ${blue}`)
      }
      // A small one stays small, a wide one keeps its shape.
      assert.strictEqual((yield* made(yield* Effect.promise(() => picture("red", "png", 16)))).width, 16)
      const wide = yield* Effect.promise(() =>
        sharp({ create: { width: 800, height: 400, channels: 3, background: "red" } }).png().toBuffer()
      )
      assert.strictEqual((yield* made(wide)).height, side / 2)
    }))

  it.effect("decodes nothing else, whatever it contains", () =>
    Effect.gen(function*() {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`
      for (
        const bytes of [gif, tiff, avif, Buffer.from(svg), Buffer.from("<html>"), Buffer.alloc(0), Buffer.alloc(99)]
      ) {
        assert.strictEqual(yield* refused(bytes), "NotAPicture")
      }
      const whole = yield* Effect.promise(() => picture("red", "jpeg", 400))
      assert.strictEqual(yield* refused(whole.subarray(0, whole.length - 200)), "NotAPicture")
    }))

  it.effect("refuses more than ten million pixels, which a small file can have", () =>
    Effect.gen(function*() {
      const bomb = yield* Effect.promise(() => picture("white", "png", 3200))
      assert.isBelow(bomb.length, 100_000)
      assert.strictEqual(yield* refused(bomb), "NotAPicture")
      assert.strictEqual((yield* made(yield* Effect.promise(() => picture("white", "png", 3100)))).width, side)
    }))

  it.effect("shows it upright, without its metadata, and of an animation the first frame", () =>
    Effect.gen(function*() {
      const turned = yield* Effect.promise(() =>
        sharp({ create: { width: 80, height: 40, channels: 3, background: "red" } })
          .withExif({ IFD0: { Copyright: "somebody" } }).withMetadata({ orientation: 6 }).jpeg().toBuffer()
      )
      const upright = yield* made(turned)
      assert.deepStrictEqual([upright.width, upright.height], [40, 80])
      assert.isUndefined(upright.exif)
      assert.isUndefined(upright.orientation)
      const frames = yield* Effect.promise(async () =>
        sharp([await picture("#ff0000"), await picture("#0000ff")], { join: { animated: true } }).webp().toBuffer()
      )
      assert.strictEqual((yield* Effect.promise(() => sharp(frames).metadata())).pages, 2)
      const still = yield* made(frames)
      assert.isUndefined(still.pages)
      assert.isAbove((yield* Effect.promise(() => colourOf(still.small)))[0] ?? 0, 245)
    }))

  it.effect("never takes more than the table has room for", () =>
    Effect.gen(function*() {
      const noise = Buffer.from(Array.from({ length: side * side * 4 }, (_, n) => (n * 2_654_435_761) >>> 24 & 255))
      const png = yield* Effect.promise(() =>
        sharp(noise, { raw: { width: side, height: side, channels: 4 } }).png().toBuffer()
      )
      assert.isBelow((yield* made(png)).small.length, 102_400)
    }))
})

layer(Pictures.layer.pipe(
  Layer.provide(Layer.succeed(SharpModule, () => Promise.reject(new Error("Cannot find package 'sharp'"))))
))("Pictures without sharp", (it) => {
  it.effect("are not available, and no picture is taken", () =>
    Effect.gen(function*() {
      assert.isFalse(yield* (yield* Pictures).isAvailable)
      assert.strictEqual(yield* refused(yield* Effect.promise(() => picture("red"))), "NotAPicture")
    }))
})

layer(Layer.empty)("The library", (it) => {
  it.effect("is not loaded by a server that starts", () =>
    Effect.sync(() => {
      const script = `await import("./src/app/Services.ts"); await import("./src/app/Routes.ts")
        await import("./workers/Embedded.ts")
        console.log(String(process.report.getReport().sharedObjects.filter((name) => /sharp|vips/.test(name)).length))`
      const loaded = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
      assert.strictEqual(loaded.trim(), "0")
    }), 60_000)
})
