import { DateTime, Effect, Option, Result, Stream } from "effect"
import { BadRequest } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { ClientsRepo } from "../../clients/records/ClientsRepo.ts"
import type { ImportDraft } from "../import/ImportDraft.ts"
import type { ImportOptions } from "../import/ImportedClient.ts"
import { ImportListener } from "../import/ImportListener.ts"
import { LegacyImport, type Totals } from "../import/LegacyImport.ts"
import { exampleOf, judge, readLogged } from "./Judgement.ts"
import { type LoggedLine, readRequestLog } from "./RequestLog.ts"
import * as RequestTally from "./RequestTally.ts"

// This room tries an import on requests that the old server has had: which of them this server would refuse once the
// file is imported. It judges by the rules of `core/consent`, and has none of its own.

interface RehearsedRequests {
  readonly requests: number
  readonly refused: number
  /** Those of public clients that are right but for the challenge, of which the log does not tell. */
  readonly unjudged: number
  /** Lines without a request that can be read. */
  readonly unreadable: number
  readonly firstUnreadable: { readonly line: number; readonly text: string } | null
}

export interface Rehearsal {
  /** Numbers of the import. */
  readonly totals: Totals
  readonly log: RehearsedRequests
  /** What is not sure to be answered, the most frequent first; it can be read while the scope is open. */
  readonly refused: Stream.Stream<RequestTally.Refused>
}

/**
 * Rehearses the cut-over from another server: judges each request of the log by the apps as they would be after the
 * import of what fits of the file, without writing anything. The command `slotkey import-legacy FILE --rehearse LOG`
 * calls it; docs/legacy.md describes the log. Like the judgement of the file, it tells the `ImportListener` what it
 * finds there.
 */
export const rehearse = Effect.fn("LegacyRehearsal.rehearse")(
  function*(
    file: Stream.Stream<string, BadRequest>,
    text: Stream.Stream<string, BadRequest>,
    options: ImportOptions = {}
  ) {
    const imports = yield* LegacyImport
    const listener = yield* ImportListener
    const tally = yield* RequestTally.open
    const { draft, totals } = yield* Effect.provideService(imports.draft(file, options), ImportListener, {
      ...listener,
      found: (finding) => {
        if (finding.kind === "wrong" || finding.kind === "left-out") tally.addUnfit(finding.clientId)
        return listener.found(finding)
      }
    })
    const log = { requests: 0, refused: 0, unjudged: 0, unreadable: 0 }
    let firstUnreadable: RehearsedRequests["firstUnreadable"] = null
    yield* readRequestLog(text).pipe(
      Stream.grouped(linesPerLookup),
      Stream.runForEach(Effect.fnUntraced(function*(lines) {
        const { refused, requests, unjudged } = yield* judgeAll(draft, tally, lines)
        log.requests += requests
        log.refused += refused
        log.unjudged += unjudged
        log.unreadable += lines.length - requests
        for (const { line, request } of lines) {
          if (Result.isFailure(request)) firstUnreadable ??= { line, text: request.failure }
        }
        // A log of another kind need not be read to its end.
        if (log.requests === 0) return yield* notLines(firstUnreadable)
        yield* listener.progress("requests judged", log.requests)
      }))
    )
    if (log.requests === 0) return yield* logEmpty
    return {
      totals,
      log: { ...log, firstUnreadable },
      refused: Stream.suspend(() => Stream.fromIterable(tally.refused()))
    }
  }
)

/** Judges a few hundred requests, whose apps are read at once. */
const judgeAll = Effect.fnUntraced(
  function*(draft: ImportDraft, tally: RequestTally.RequestTally, lines: ReadonlyArray<LoggedLine>) {
    const catalogue = yield* Catalogue
    const clients = yield* ClientsRepo
    const config = yield* AppConfig
    const now = yield* DateTime.now
    const counts = { requests: 0, refused: 0, unjudged: 0 }
    const logged = lines.flatMap(({ request }) => Result.isSuccess(request) ? [request.success] : [])
    const read = logged.map((request) => ({ request, sent: readLogged(request) }))
    const ids = new Set(read.flatMap(({ sent }) => Result.isSuccess(sent) ? [sent.success.clientId] : []))
    const existing = yield* clients.findAll([...ids])
    // What exists here stays as it is, whatever the file says of it.
    const apps = new Map([...ids].map((id) => [id, existing.get(id) ?? draft.client(id)]))
    for (const { request, sent } of read) {
      counts.requests++
      if (Result.isFailure(sent)) {
        counts.refused++
        tally.add(sent.failure.clientId, sent.failure.cause, null)
        continue
      }
      const { clientId } = sent.success
      const found = judge(
        catalogue,
        request,
        sent.success,
        Option.fromUndefinedOr(apps.get(clientId)),
        config,
        now
      )
      const cause = found === "client-unknown" && tally.isUnfit(clientId) ? "client-unfit" : found
      if (cause === "challenge-unlogged") counts.unjudged++
      else if (cause !== undefined) counts.refused++
      tally.add(clientId, cause, cause === undefined ? null : exampleOf(cause, sent.success))
    }
    return counts
  }
)

const linesPerLookup = 500

const logEmpty = new BadRequest({ code: "log_empty", message: "The log has no request." })

const notLines = (first: RehearsedRequests["firstUnreadable"]): BadRequest =>
  new BadRequest({
    code: "log_unreadable",
    message:
      `The log has no request on its first lines: each must be a JSON object, in UTF-8. Line ${first?.line} ${first?.text}.`
  })
