import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Agreement, type Known, type Standing } from "../../core/catalogue/Agreement.ts"
import { corsHeaders, preflight } from "../../foundation/http/Cors.ts"
import { publicContent } from "../../foundation/http/PublicContent.ts"
import { cataloguePath } from "./CatalogueDocument.ts"

/**
 * Serves the catalogues that count, as the node has read them, to guards in other programs (`FetchedCatalogues`). The
 * answer is made when they change, and not for each request.
 */
export const CatalogueRoute = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { standing } = yield* Agreement
  let made = madeOf(standing())

  const answer = Effect.suspend(() => {
    const { announced, inForce } = standing()
    if (made.inForce !== inForce || made.announced !== announced) made = madeOf({ announced, inForce })
    return made.answer
  })

  yield* router.add("GET", cataloguePath, answer)
  yield* router.add("OPTIONS", cataloguePath, preflight("GET"))
}))

type Live = Pick<Standing, "announced" | "inForce">

const madeOf = ({ announced, inForce }: Live) => ({
  announced,
  inForce,
  answer: publicContent({
    body: JSON.stringify({ in_force: read(inForce), announced: read(announced) }),
    contentType: "application/json",
    // A guard counts on having read an announcement in time, so no cache on the way answers by itself.
    cacheControl: "no-cache",
    headers: corsHeaders
  })
})

/** Without what is for people: the white space of the text, and the address of a schema beside the file. */
const read = (known: Known | undefined): unknown =>
  known === undefined
    ? undefined
    : JSON.parse(known.document, (key, value: unknown) => key === "$schema" ? undefined : value)
