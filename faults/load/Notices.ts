import { unwrapped } from "../../test/support/MailText.ts"
import type { TestSmtp } from "../../test/support/TestSmtp.ts"
import type { TestWebhook } from "../../test/support/TestWebhook.ts"
import type { Decision, Ledger } from "./Ledger.ts"

/**
 * Mails and webhook calls that arrived. A repeat with the same `Message-ID` or `webhook-id` is one effect, as receivers
 * recognise it (docs/jobs.md).
 */
export class Notices {
  readonly #mail: TestSmtp
  readonly #webhook: TestWebhook
  /** Identifiers under which each notice arrived, with the time of the first. */
  readonly #arrived = new Map<string, { readonly at: number; readonly ids: Set<string> }>()
  /** Notice of each identifier: one that names two would make receivers drop the second. */
  readonly #named = new Map<string, string>()
  readonly shared: Array<string> = []
  #mails = 0
  #events = 0

  constructor(mail: TestSmtp, webhook: TestWebhook) {
    this.#mail = mail
    this.#webhook = webhook
  }

  /** Reads what came since the last call. */
  collect(): void {
    for (; this.#mails < this.#mail.received.length; this.#mails++) {
      const { message = "" } = this.#mail.received[this.#mails] ?? {}
      const [, name, verdict] =
        /Your app \u201c(App [^\u201d]*)\u201d was (approved|rejected)/.exec(unwrapped(message)) ?? []
      const id = /^message-id: *(\S+)/im.exec(message)?.[1]
      if (name !== undefined && id !== undefined) this.#add(`mail ${verdict} ${name}`, id)
    }
    for (; this.#events < this.#webhook.events.length; this.#events++) {
      const { body = "", headers = {} } = this.#webhook.events[this.#events] ?? {}
      const { data, type }: { readonly type: string; readonly data: { readonly name: string } } = JSON.parse(body)
      this.#add(`webhook ${type.slice("client.".length)} ${data.name}`, String(headers["webhook-id"]))
    }
  }

  /** Most milliseconds that a notice has taken so far: what is usual on this machine today. */
  usual(ledger: Ledger): number {
    return Math.max(0, ...this.#delays(ledger).map(({ at, decidedAt }) => at - decidedAt).filter(Number.isFinite))
  }

  /** Seconds from an instant to the last notice that came much later than is usual. */
  recovery(ledger: Ledger, since: number, usual: number): number {
    const ends = this.#delays(ledger).filter(({ at, decidedAt }) => at - decidedAt > usual + late).map(({ at }) => at)
    return (Math.max(since, ...ends) - since) / 1000
  }

  /** Decisions without all their notices. */
  missing(ledger: Ledger): ReadonlyArray<string> {
    return ledger.decisions.flatMap(keysOf).filter((key) => !this.#arrived.has(key))
  }

  /** Notices that came more than once under different names. */
  get doubled(): ReadonlyArray<string> {
    return [...this.#arrived].filter(([, { ids }]) => ids.size > 1).map(([key, { ids }]) =>
      `${key}: ${[...ids].join(" ")}`
    )
  }

  #delays(ledger: Ledger) {
    return ledger.decisions.flatMap((decision) =>
      keysOf(decision).map((key) => ({ at: this.#arrived.get(key)?.at ?? Infinity, decidedAt: decision.decidedAt }))
    )
  }

  #add(key: string, id: string): void {
    const other = this.#named.get(id)
    if (other === undefined) this.#named.set(id, key)
    else if (other !== key) this.shared.push(`notice: ${key} has the identifier of ${other}`)
    const known = this.#arrived.get(key)
    if (known === undefined) this.#arrived.set(key, { at: performance.now(), ids: new Set([id]) })
    else known.ids.add(id)
  }
}

const keysOf = ({ name, verdict }: Decision): ReadonlyArray<string> => [
  `mail ${verdict} ${name}`,
  `webhook submitted ${name}`,
  `webhook ${verdict} ${name}`
]

// The relay looks every half second.
const late = 2_000
