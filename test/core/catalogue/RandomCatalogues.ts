import { Arbitrary, Result, Schema } from "effect"
import { check, type CheckedCatalogue } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"

const number = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const numbers = (maximum: number, maxLength: number) => Arbitrary.array(number(maximum), { maxLength })

const names = ["a", "b", "c", "d"]

const operation = Arbitrary.all({ method: number(5), path: number(10_000), access: number(9), scopes: numbers(3, 3) })
type Operation = typeof operation extends Arbitrary.Arbitrary<infer A> ? A : never

const parts = Arbitrary.all({
  // Most names are in both.
  absent: numbers(11, 3),
  // A scope implies later ones alone, so that no circle comes about.
  implications: Arbitrary.array(Arbitrary.all({ from: number(2), to: number(3) }), { maxLength: 3 }),
  operations: Arbitrary.array(operation, { maxLength: 4 })
})
type Parts = typeof parts extends Arbitrary.Arbitrary<infer A> ? A : never

/** Two small catalogues of the same few names and paths; `undefined` if the rules refuse one of them. */
export const pairs = (paths: ReadonlyArray<string>) =>
  Arbitrary.map(Arbitrary.all({ before: parts, after: parts }), ({ after, before }) => pairOf(paths, before, after))

/** Same, but the second is the first with an operation less and perhaps one more. */
export const neighbours = (paths: ReadonlyArray<string>) =>
  Arbitrary.map(
    Arbitrary.all({ before: parts, without: number(3), added: Arbitrary.array(operation, { maxLength: 1 }) }),
    ({ added, before, without }) =>
      pairOf(paths, before, {
        ...before,
        operations: [...before.operations.filter((_, at) => at !== without), ...added]
      })
  )

export type Pair = { readonly before: CheckedCatalogue; readonly after: CheckedCatalogue } | undefined

const pairOf = (paths: ReadonlyArray<string>, before: Parts, after: Parts): Pair => {
  const [one, other] = [checkedOf(written(paths)(before)), checkedOf(written(paths)(after))]
  return one === undefined || other === undefined ? undefined : { before: one, after: other }
}

const checkedOf = (file: unknown): CheckedCatalogue | undefined => {
  const checked = check(file)
  return Result.isSuccess(checked) ? checked.success : undefined
}

const written = (paths: ReadonlyArray<string>) => ({ absent, implications, operations }: Parts) => {
  const there = names.filter((_, at) => !absent.includes(at))
  const scopes = (numbers: Operation["scopes"]) =>
    [...new Set(numbers)].flatMap((at) => names[at] ?? []).filter((name) => there.includes(name))
  return {
    ...small,
    levels: [{ id: "own", title: "You" }],
    scopes: ["profile", ...there].map((name) => ({
      name,
      level: "own",
      access: "read",
      title: `See ${name}`,
      covers: `Lists ${name}.`,
      implies: [
        ...new Set(
          implications.flatMap(({ from, to }) => {
            const implied = names[Math.max(from + 1, to)] ?? ""
            return names[from] === name && there.includes(implied) ? [implied] : []
          })
        )
      ]
    })),
    profile: { scope: "profile" },
    samples: { demo: ["profile"], tests: ["profile"] },
    operations: unique(operations.map((operation) => ({
      method: operation.method === 0 ? "POST" : "GET",
      path: paths[operation.path % paths.length] ?? "",
      case: "exact",
      ...requirement(operation.access, scopes(operation.scopes))
    })))
  }
}

const requirement = (access: number, scopes: ReadonlyArray<string>) => {
  const [scope] = scopes
  if (access === 0) return { access: "public" }
  if (access === 1) return { access: "closed", neverForApps: "billing" }
  if (scope === undefined) return { access: "closed" }
  if (access === 2) return { access: "scope-if-token", scope }
  if (access === 3) return { access: "scope", anyOf: scopes }
  if (access === 4) return { access: "scope", allOf: scopes }
  return { access: "scope", scope }
}

const unique = <A extends { readonly method: string; readonly path: string }>(operations: ReadonlyArray<A>) => {
  const seen = new Set<string>()
  return operations.filter(({ method, path }) => {
    const key = `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
