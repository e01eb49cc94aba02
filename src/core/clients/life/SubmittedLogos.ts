import { Effect, Option, Schema } from "effect"
import type { BadRequest, NotFound } from "../../../domain/ApiError.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { type Logo, Logos } from "../logos/Logos.ts"
import { appAccess } from "../records/AppAccess.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { LogoUrl } from "../records/ReviewedFields.ts"
import type { ClientEdit } from "./Registration.ts"

/** Logo that an edit asks for; nothing of it where it stays as it is. */
interface EditedLogo {
  readonly logoUrl?: string | null
  readonly logoDigest?: string | null
  /** Picture, where it is not kept yet. */
  readonly logo?: Logo
}

/** Pictures at the addresses that owners enter in forms, fetched out of the owner's budget, for `ClientRegistry`. */
export const submittedLogos = Effect.gen(function*() {
  const budgets = yield* Budgets
  const logos = yield* Logos
  const repo = yield* ClientsRepo
  const { see } = yield* appAccess

  const fetch = Effect.fnUntraced(function*(owner: UserId, address: string) {
    // Before the transaction of the command: an attempt that fails costs something, too.
    yield* budgets.spend("logo", owner)
    return yield* Effect.mapError(
      logos.fetch(address),
      ({ reason }) => Input.invalid([{ path: "logoUrl", ...reason }])
    )
  })

  const edit = Effect.fnUntraced(function*(
    owner: UserId,
    id: string,
    { logoUrl, refetchLogo = false, version }: ClientEdit
  ): Effect.fn.Return<EditedLogo, BadRequest | NotFound> {
    if (logoUrl === undefined && !refetchLogo) return {}
    const current = yield* Effect.flatMap(repo.get(id), (found) => see(owner, found))
    if (version !== undefined && version !== current.version) return {}
    const base = current.change?.isWaiting ? current.change : current
    const wanted = logoUrl === undefined ? base.logoUrl : logoUrl
    if (wanted === null) return { logoUrl: null, logoDigest: null }
    if (wanted === base.logoUrl && !refetchLogo) return { logoUrl: wanted, logoDigest: base.logoDigest }
    const logo = yield* fetch(owner, wanted)
    return { logoUrl: wanted, logoDigest: logo.digest, logo }
  })

  return {
    /** Picture of a registration; an address that cannot be one is a fault of the form already. */
    registration: (owner: UserId, address: string | null | undefined) =>
      Option.match(decode(address), {
        onNone: () => Effect.succeedNone,
        onSome: (address) => Effect.asSome(fetch(owner, address))
      }),
    edit,
    /** Faults of the logo in a form that has other faults, so that its owner sees all at once. */
    faults: (owner: UserId, id: string, address: string | null | undefined) =>
      Option.match(decode(address), {
        onNone: () => Effect.succeed([]),
        onSome: (logoUrl) =>
          edit(owner, id, { logoUrl }).pipe(
            Effect.as<ReadonlyArray<Input.Fault>>([]),
            Effect.catchTag("BadRequest", ({ details }) => Effect.succeed(details ?? []))
          )
      })
  }
})

const decode = (address: string | null | undefined): Option.Option<string> =>
  Schema.decodeUnknownOption(LogoUrl)(address)
