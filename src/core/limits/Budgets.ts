import { Context, Duration, Effect, Layer } from "effect"
import type { UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { CallerAddress } from "./CallerAddress.ts"
import { Limiter } from "./Limiter.ts"

/**
 * Kinds of action that have a budget. A sign-in leaves a session; a change of an app, a secret or an API key leaves an
 * entry in the trail, and many are mails to every administrator; a logo, the look at a website, or an event that is
 * sent again, is a request to another host; a continuation is a row that keeps the address of a page until a user signs
 * in; an invitation to use a test app is read by the person whom it names; an answer with which a browser comes back
 * from an identity provider is requests to that; a report of an app, and a wish for its review, is read by reviewers; a
 * document of an app is a request to a host that anybody may name. To revoke or delete something costs nothing: it
 * cannot happen more often than something was made, and must never have to wait.
 */
type Action =
  | "answer"
  | "change"
  | "continuation"
  | "document"
  | "event"
  | "invitation"
  | "logo"
  | "report"
  | "sign-in"
  | "website"
  | "wish"

/**
 * Budgets of accounts and addresses (`ACCOUNT_BUDGET`, `ADDRESS_BUDGET`). They limit a runaway script; a cap on
 * existing rows, such as the limit of waiting apps, can't, because the script can delete and start over.
 */
export class Budgets extends Context.Service<Budgets, {
  /**
   * Takes an action off the budgets of the account, where there is one yet, and of the fiber's `CallerAddress`. Joins
   * the caller's transaction, so that an action that fails costs nothing. Dies with `TooManyAttempts` when a budget is
   * used up: the error boundary answers that with 429, and no caller could do more.
   */
  spend(action: Action, account?: UserId): Effect.Effect<void>
  /**
   * Takes a request for a document off the budgets of the person for whom it is read, of the caller's address, and of
   * all hosts under the same registrable name, which get no more requests from here than one account may cause.
   */
  spendDocument(person: UserId, hosts: string): Effect.Effect<void>
  /** Takes a new app that nobody registered off what one person and one host may put before reviewers in a day. */
  spendIntroduction(person: UserId, hosts: string): Effect.Effect<void>
}>()("slotkey/core/limits/Budgets") {
  static readonly layer = Layer.effect(
    Budgets,
    Effect.gen(function*() {
      const limiter = yield* Limiter
      const { accountBudget, addressBudget } = yield* AppConfig

      const budgetOf = (action: string, whose: string, name: string, limit: number) => ({
        subject: limiter.subjectOf("budget", action, whose, name),
        limit
      })

      const spend = Effect.fn("Budgets.spend")(
        function*(action: Action, account: UserId | undefined, hosts: string | undefined) {
          const ofAccount = account === undefined ? [] : [budgetOf(action, "account", account, accountBudget)]
          const ofHosts = hosts === undefined ? [] : [budgetOf(action, "hosts", hosts, accountBudget)]
          const ofNetworks = limiter.inNetworks(yield* CallerAddress, addressBudget, "budget", action, "address")
          yield* limiter.count([...ofAccount, ...ofHosts, ...ofNetworks], window)
        },
        (self, action, account, _hosts) =>
          Effect.tapError(
            self,
            () => Effect.logInfo("A budget is used up", { action, ...account && { user_id: account } })
          ),
        Effect.orDie
      )

      const spendIntroduction = Effect.fn("Budgets.spendIntroduction")(
        function*(person: UserId, hosts: string) {
          const counted = [
            budgetOf("introduction", "account", person, introductions),
            budgetOf("introduction", "hosts", hosts, introductions)
          ]
          yield* limiter.count(counted, Duration.days(1))
        },
        Effect.tapError(() => Effect.logInfo("A budget is used up", { action: "introduction" })),
        Effect.orDie
      )

      return Budgets.of({
        spend: (action, account) => spend(action, account, undefined),
        spendDocument: (person, hosts) => spend("document", person, hosts),
        spendIntroduction
      })
    })
  )
}

const window = Duration.hours(1)
// Each is work for every reviewer.
const introductions = 20
