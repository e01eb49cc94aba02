import { Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { TestAppDecision } from "../../core/clients/testapps/TestAppDecision.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { peopleNames } from "../parts/PeopleNames.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import { stopBody, testAppsBody, testAppsPath } from "./TestAppsView.ts"

/** Page on which administrators see and end the test apps of the server: `/review/tests`. */
export const TestAppsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const decision = yield* TestAppDecision
  const identities = yield* IdentitySource

  yield* get(
    testAppsPath,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const overview = yield* decision.overview
      const people = overview.tests.flatMap(({ guests, ownerId }) => [ownerId, ...guests])
      const stoppedBy = Option.toArray(overview.stopped).map(({ by }) => by)
      const names = yield* peopleNames([...people, ...stoppedBy], identities.find)
      return page({
        title: text("testApps"),
        viewer: visitor.viewer,
        body: testAppsBody({ visitor, overview, names })
      })
    })
  )

  yield* get(
    `${testAppsPath}/stop`,
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const { total } = yield* decision.overview
      return page({ title: text("testApps.stop"), viewer: visitor.viewer, body: stopBody(visitor, total) })
    })
  )

  yield* post(
    `${testAppsPath}/stop`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      const count = yield* decision.stop(visitor.account.id)
      return yield* pages.redirect(visitor, testAppsPath, text("testApps.stopped", { count }))
    })
  )

  yield* post(
    `${testAppsPath}/allow`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      yield* decision.allow(visitor.account.id)
      return yield* pages.redirect(visitor, testAppsPath, text("testApps.allowed"))
    })
  )

  yield* post(
    `${testAppsPath}/:id/end`,
    Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      // Its owner may have ended it meanwhile.
      return yield* decision.end(visitor.account.id, yield* pathId).pipe(
        Effect.andThen(pages.redirect(visitor, testAppsPath, text("testApps.ended"))),
        Effect.catchTag("NotFound", () => Effect.succeed(seeOther(testAppsPath)))
      )
    })
  )
}))
