import { Option, Result, Schema } from "effect"
import type { Finding } from "../files/FileProblem.ts"
import { findings } from "../files/SchemaFindings.ts"
import { inEnglish } from "../files/Words.ts"
import { BrandEntry, BrandFile } from "./BrandFile.ts"
import { unreadable } from "./Palette.ts"

/** What is to be seen in a file of `BRAND`. */
interface Examined {
  /** Absent of a file that is not in shape. */
  readonly file: BrandFile | undefined
  /** Entries that are in shape, at their places, although others are not. */
  readonly entries: Entries
  readonly findings: ReadonlyArray<Finding>
}

type Entries = ReadonlyArray<BrandEntry | undefined>

/** Examines the file of `BRAND` as it comes out of JSON. All that is wrong is found at once. */
export const examine = (value: unknown): Examined => {
  const decoded = decode(value)
  const file = Result.getOrUndefined(decoded)
  const entries = file?.brands ?? inShape(value)
  return {
    file,
    entries,
    findings: [
      ...Result.isSuccess(decoded) ? [] : findings(decoded.failure.issue, []),
      ...twins(entries),
      ...hostless(entries),
      ...contrasts(entries)
    ]
  }
}

const decode = Schema.decodeUnknownResult(BrandFile, { errors: "all", onExcessProperty: "error", reportInput: true })

const inShape = (value: unknown): Entries =>
  Option.getOrElse(decodeLists(value), () => ({ brands: [] })).brands.map((entry) =>
    Option.getOrUndefined(decodeEntry(entry))
  )

const decodeLists = Schema.decodeUnknownOption(Schema.Struct({ brands: Schema.Array(Schema.Unknown) }))
const decodeEntry = Schema.decodeUnknownOption(BrandEntry)

/** Names and hosts that two brands have. */
const twins = (entries: Entries): ReadonlyArray<Finding> => {
  const names = entries.flatMap((brand, at) =>
    brand === undefined ? [] : [{ at, key: inEnglish(brand.name), place: ["brands", at, "name"] }]
  )
  const hosts = entries.flatMap((brand, at) =>
    (brand?.hosts ?? []).map((key, position) => ({ at, key, place: ["brands", at, "hosts", position] }))
  )
  return [...repeated(names, "is the name of"), ...repeated(hosts, "is a host of")]
}

const repeated = (
  all: ReadonlyArray<{ readonly at: number; readonly key: string; readonly place: Finding["place"] }>,
  verb: string
): ReadonlyArray<Finding> =>
  all.flatMap(({ key, place }, index) => {
    const earlier = all.slice(0, index).find((other) => other.key === key)
    return earlier === undefined ? [] : [{ place, problem: `"${key}" ${verb} brands[${earlier.at}] already` }]
  })

const hostless = (entries: Entries): ReadonlyArray<Finding> =>
  entries.flatMap((brand, at) =>
    at === 0 || brand === undefined || (brand.hosts ?? []).length > 0 ? [] : [{
      place: ["brands", at],
      problem: "has no hosts, so no request would have this brand: only the first is for all others"
    }]
  )

const contrasts = (entries: Entries): ReadonlyArray<Finding> =>
  entries.flatMap((brand, at) =>
    (["light", "dark"] as const).flatMap((scheme) => {
      const colors = brand?.colors?.[scheme] ?? {}
      return unreadable(scheme, colors).map(({ color, problem }) => ({
        place: ["brands", at, "colors", scheme, ...color in colors ? [color] : []],
        problem
      }))
    })
  )
