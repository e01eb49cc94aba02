import { Arbitrary, Result, Schema } from "effect"
import { check, type CheckedCatalogue } from "../../../src/domain/scopes/CatalogueRules.ts"
import { small } from "../../domain/scopes/SmallCatalogue.ts"

/** Two small catalogues of the same few names and paths; `undefined` if the rules refuse one of them. */
export const pairs = (paths: ReadonlyArray<string>) =>
  Arbitrary.map(
    Arbitrary.all({ before: raw(paths), after: raw(paths) }),
    ({ after, before }) => {
      const [one, other] = [checkedOf(before), checkedOf(after)]
      return one === undefined || other === undefined ? undefined : { before: one, after: other }
    }
  )

const checkedOf = (file: unknown): CheckedCatalogue | undefined => {
  const checked = check(file)
  return Result.isSuccess(checked) ? checked.success : undefined
}

const number = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const numbers = (maximum: number, maxLength: number) => Arbitrary.array(number(maximum), { maxLength })

const names = ["a", "b", "c", "d"]

const raw = (paths: ReadonlyArray<string>) =>
  Arbitrary.map(
    Arbitrary.all({
      // Most names are in both.
      absent: numbers(11, 3),
      // A scope implies later ones alone, so that no circle comes about.
      implications: Arbitrary.array(Arbitrary.all({ from: number(2), to: number(3) }), { maxLength: 3 }),
      operations: Arbitrary.array(
        Arbitrary.all({ method: number(5), path: number(10_000), access: number(7), scopes: numbers(3, 3) }),
        { maxLength: 4 }
      )
    }),
    ({ absent, implications, operations }) => {
      const there = names.filter((_, at) => !absent.includes(at))
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
        operations: unique(operations.map(({ access, method, path, scopes }) => ({
          method: method === 0 ? "POST" : "GET",
          path: paths[path % paths.length] ?? "",
          ...requirement(
            access,
            [...new Set(scopes)].flatMap((at) => names[at] ?? []).filter((name) => there.includes(name))
          )
        })))
      }
    }
  )

const requirement = (access: number, scopes: ReadonlyArray<string>) => {
  const [scope] = scopes
  if (access === 0) return { access: "public" }
  if (access === 1) return { access: "closed", neverForApps: "billing" }
  if (scope === undefined) return { access: "closed" }
  if (access === 2) return { access: "scope-if-token", scope }
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
