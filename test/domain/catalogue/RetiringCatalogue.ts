import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import { checkedOf } from "../../core/catalogue/Fixture.ts"
import { small } from "./file/SmallCatalogue.ts"

const scopeOf = (name: string, retired?: object) => ({
  name,
  level: "own",
  access: "write",
  title: `Use ${name}`,
  covers: `What ${name} covers.`,
  ...(retired === undefined ? {} : { retired })
})

/**
 * The small catalogue and three scopes that are retired with the year 2027: `crm`, which may be asked for until the end
 * of January, `older`, in whose place that stands, and `alone`, in whose place nothing does.
 */
export const checkedRetiring = checkedOf({
  scopes: [
    ...small.scopes,
    scopeOf("crm", { since: "2027-01-01", until: "2027-01-31", standsFor: ["contacts.read", "contacts.write"] }),
    scopeOf("older", { since: "2026-06-01", until: "2026-12-31", standsFor: ["crm"] }),
    scopeOf("alone", { since: "2027-01-01" })
  ]
})

export const retiring = make(checkedRetiring.file, checkedRetiring)
