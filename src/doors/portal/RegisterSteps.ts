import { Struct } from "effect"
import type { Draft } from "../../core/clients/life/RegistrationDrafts.ts"
import type { Fault } from "../../domain/Input.ts"
import { text } from "../../foundation/web/Message.ts"
import type { AppFields } from "./AppFormView.ts"

/** A page of the registration, and the fields on it. */
interface StepOf {
  readonly path: `/${string}`
  readonly title: ReturnType<typeof text>
  readonly fields: ReadonlyArray<keyof AppFields>
}

const first = "/settings/apps/new"

/** Pages of the registration in their order; each field of an app is on one of them. */
export const steps = {
  what: {
    path: first,
    title: text("register.what"),
    fields: ["name", "tagline", "purpose", "website", "logoUrl", "privacyUrl", "termsUrl", "contact"]
  },
  where: { path: `${first}/addresses`, title: text("register.where"), fields: ["kind", "redirectUris"] },
  may: { path: `${first}/scopes`, title: text("register.may"), fields: ["scopes", "optionalScopes"] }
} as const satisfies Readonly<Record<string, StepOf>>

export type Step = keyof typeof steps

export const stepNames: ReadonlyArray<Step> = Struct.keys(steps)

export const beside = (step: Step, by: 1 | -1): Step => stepNames[stepNames.indexOf(step) + by] ?? step

/** Fields of a page as they were entered. */
export const onStep = (step: Step, entered: AppFields): Partial<AppFields> => Struct.pick(entered, steps[step].fields)

export const faultsOn = (step: Step, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  const fields: ReadonlyArray<string> = steps[step].fields
  return faults.filter(({ path }) => fields.includes(path.split(".")[0] ?? ""))
}

/** First page with a fault; the last shows what none of them has, such as a limit on apps. */
export const firstAtFault = (faults: ReadonlyArray<Fault>): Step =>
  stepNames.find((step) => faultsOn(step, faults).length > 0) ?? "may"

/** Page of this draft, with what to show on it. */
export const stepAddress = (step: Step, draft: string, more: Readonly<Record<string, string>> = {}): string =>
  `${steps[step].path}?${String(new URLSearchParams({ draft, ...more }))}`

/** Page to go on with: the first that lacks something that every app has. */
export const unfinished = ({ fields }: Draft): Step =>
  !fields.name || !fields.purpose || !fields.website
    ? "what"
    : !fields.kind || (fields.redirectUris ?? []).length === 0
    ? "where"
    : "may"
