// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { AccessCheck, Admission, catalogueLayer, EndpointPolicy, Guard } from "../../../src/resource.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"

const guard = Guard.layer.pipe(
  Layer.provide([Admission.layerAt("https://api.test"), EndpointPolicy.layer]),
  Layer.provide(Layer.mock(AccessCheck, {}))
)
const crmGuard = Layer.provide(guard, catalogueLayer(crmCatalogue))

/** Public operations of the CRM and of the specification that a guard lets anyone call. */
const open = Effect.flatMap(Guard, ({ check }) =>
  Effect.filter(
    ["/api/health", "/v2/slots"],
    (target) => Effect.map(check({ method: "GET", target, authorization: undefined }), ({ allowed }) => allowed)
  ))

class Opened
  extends Context.Service<Opened, ReadonlyArray<string>>()("slotkey/test/doors/resource/TwoCatalogues.test/Opened")
{}
class OpenedByCrm extends Context.Service<OpenedByCrm, ReadonlyArray<string>>()(
  "slotkey/test/doors/resource/TwoCatalogues.test/OpenedByCrm"
) {}

it.effect("guards of two catalogues in one program decide by their own", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(yield* Effect.provide(open, guard), ["/v2/slots"])
    assert.deepStrictEqual(yield* Effect.provide(open, crmGuard), ["/api/health"])
  }))

// Parts of one composition are shared, whatever stands beneath: docs/library.md says what to do.
it.effect("and in one composition when one of them is fresh", () =>
  Effect.gen(function*() {
    const both = yield* Layer.build(Layer.merge(
      Layer.provide(Layer.effect(Opened, open), guard),
      Layer.provide(Layer.effect(OpenedByCrm, open), Layer.fresh(crmGuard))
    ))
    assert.deepStrictEqual(Context.get(both, Opened), ["/v2/slots"])
    assert.deepStrictEqual(Context.get(both, OpenedByCrm), ["/api/health"])
  }))
