import { Array as Arr, Effect, Option, Result, Schema } from "effect"
import { dirname, resolve } from "node:path"
import { type Brand, type Brands, make, type Picture, plain } from "../../domain/brand/Brand.ts"
import type { BrandEntry } from "../../domain/brand/BrandFile.ts"
import { examine } from "../../domain/brand/BrandRules.ts"
import { type Finding, located, Problem, unusable } from "../../domain/files/FileProblem.ts"
import * as JsonFile from "../../domain/files/JsonFile.ts"
import { inEnglish } from "../../domain/files/Words.ts"
import { contentOf } from "./SettingFile.ts"

/** File of `BRAND` that cannot be used, with all that is wrong. */
class BrandError extends Schema.TaggedError<BrandError>()("BrandError", {
  file: Schema.String,
  problems: Schema.Array(Problem)
}) {
  override get message() {
    return unusable(this.file, this.problems)
  }
}

/** A brand of the file, with its pictures. */
export interface LoadedBrand {
  readonly entry: BrandEntry
  readonly logo: { readonly light: Picture; readonly dark: Picture } | undefined
}

/** Reads and checks the file of `BRAND`, and the pictures that it names, which are in its folder or below it. */
export const loadBrands = Effect.fnUntraced(function*(
  path: string
): Effect.fn.Return<ReadonlyArray<LoadedBrand>, BrandError> {
  const fail = (problems: ReadonlyArray<Problem>) => Effect.fail(new BrandError({ file: path, problems }))
  const read = yield* contentOf(path, largestFile).pipe(
    Effect.catch((problem) => fail([{ place: "", problem }]))
  )
  const json = JsonFile.read(read, largestFile)
  if (Result.isFailure(json)) return yield* fail(json.failure)
  const { entries, file, findings } = examine(json.success.value)
  const found: Array<Finding> = [...findings]
  const loaded: Array<LoadedBrand> = []
  for (const [at, entry] of entries.entries()) {
    if (entry === undefined) continue
    const pictureAt = Effect.fnUntraced(function*(scheme: "light" | "dark", name: string | undefined) {
      if (name === undefined) return undefined
      const picture = yield* Effect.result(pictureIn(resolve(dirname(path), name)))
      if (Result.isSuccess(picture)) return picture.success
      found.push({ place: ["brands", at, "logo", scheme], problem: `${name}: ${picture.failure}` })
      return undefined
    })
    const light = yield* pictureAt("light", entry.logo?.light)
    const dark = (yield* pictureAt("dark", entry.logo?.dark)) ?? light
    loaded.push({ entry, logo: light === undefined || dark === undefined ? undefined : { light, dark } })
  }
  return file === undefined || found.length > 0
    ? yield* fail(
      found.map((finding) => located(finding, json.success.lineOf))
        .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    )
    : loaded
})

/** Brands of a server with these settings, which hold where a brand says nothing itself. */
export const brandsOf = (
  loaded: ReadonlyArray<LoadedBrand> = [],
  { mailFrom, supportAddress }: {
    readonly mailFrom: Option.Option<string>
    readonly supportAddress: Option.Option<string>
  }
): Brands => {
  const complete = (brand: Omit<Brand, "mailFrom"> & { readonly mailFrom?: string | undefined }): Brand => ({
    ...brand,
    support: brand.support ?? Option.getOrUndefined(supportAddress),
    mailFrom: brand.mailFrom ??
      Option.getOrElse(mailFrom, () => `${JSON.stringify(inEnglish(brand.name))} <no-reply@localhost>`)
  })
  const brands = loaded.map(({ entry: { colors = {}, hosts = [], logo: pictures, signIn = {}, ...entry }, logo }) =>
    complete({
      ...entry,
      hosts,
      signIn,
      colors: { light: colors.light ?? {}, dark: colors.dark ?? {} },
      logo: logo && { ...logo, hasName: pictures?.hasName === true }
    })
  )
  return make(Arr.isReadonlyArrayNonEmpty(brands) ? brands : [complete({ ...plain, mailFrom: undefined })])
}

/** In bytes: a hundred brands in some languages. */
const largestFile = 2 ** 20

/** In bytes, of a picture: it is on every page. */
const largestPicture = 2 ** 18

const pictureIn = (path: string): Effect.Effect<Picture, string> =>
  Effect.flatMap(contentOf(path, largestPicture), (bytes) => {
    if (bytes.length > largestPicture) return Effect.fail(`The file has more than ${largestPicture} bytes.`)
    const type = typeOf(bytes)
    return type === undefined ? Effect.fail("The file is neither an SVG nor a PNG.") : Effect.succeed({ bytes, type })
  })

const typeOf = (bytes: Uint8Array): Picture["type"] | undefined => {
  const head = Buffer.from(bytes)
  if (head.subarray(0, 8).equals(pngSignature)) return "image/png"
  return svgRoot.test(head.toString("utf8")) ? "image/svg+xml" : undefined
}

/** PNG (ISO/IEC 15948) §5.2. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Element `svg` behind what XML allows before it. */
const svgRoot = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i
