import { Array, Context, DateTime, Effect, Layer, Option, Order, Record } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge, type Judgement } from "../../domain/catalogue/Judgement.ts"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { AuditLog, type Entry } from "../audit/AuditLog.ts"
import { ClientRegistry } from "../clients/life/ClientRegistry.ts"
import type { Client } from "../clients/records/Client.ts"
import { isPlausible } from "../clients/records/ClientsRepo.ts"
import type { Grant } from "../grants/Grant.ts"
import { listed as listedGrant } from "../grants/GrantList.ts"
import { Grants } from "../grants/Grants.ts"
import { grantSums } from "../grants/GrantSums.ts"
import { userRevocation } from "../grants/UserRevocation.ts"
import type { Resource } from "../resources/Resource.ts"
import { Resources } from "../resources/Resources.ts"
import { UsageReports } from "../usage/UsageReports.ts"
import type { Coverage } from "../usage/Use.ts"
import { chosenEnds } from "./Choice.ts"
import {
  byName,
  type Filter,
  isByName,
  isFoundBy,
  isUnusedSince,
  type Listed,
  type ListedUse,
  type ListWish,
  orderOf,
  pageSize,
  shownBy,
  sixMonthsBefore,
  unusedAfter
} from "./ConnectionList.ts"
import type { ConnectionUse, LastUse } from "./ConnectionUse.ts"
import { connectionUses } from "./ConnectionUses.ts"

/** An app with access to a user's account, by one or more grants. */
export interface Connection extends Omit<Listed, "resources"> {
  readonly client: Client
  /** Resources beside the API that its access is for. */
  readonly resources: ReadonlyArray<Pick<Resource, "identifier" | "name">>
}

/** Same with what is known of its use. */
export interface UsedConnection extends Connection {
  readonly use: ConnectionUse
}

/** Connected apps, fifty at most. */
export interface ConnectionPage {
  readonly connections: ReadonlyArray<UsedConnection>
  /** From when on calls of apps were seen. */
  readonly coverage: Coverage
  readonly page: number
  readonly pages: number
  /** Number of all connected apps. */
  readonly total: number
  /** Numbers of those among the apps found that each filter shows. */
  readonly counts: Readonly<Record<Filter, number>>
  /** Number of apps that `endUnused` would end. */
  readonly unused: number
}

/** Apps of which each call within six months was seen, and none was made. */
export interface UnusedConnections {
  /** The longest unused first. */
  readonly connections: ReadonlyArray<UsedConnection>
  readonly coverage: Coverage
}

/** A connected app with all that its user can know. */
export interface ConnectionDetails {
  readonly connection: UsedConnection
  readonly coverage: Coverage
  /** Grants, one for each device or sign-in, the newest first. */
  readonly devices: ReadonlyArray<Device>
  /** What the user and the app did about its access, the newest first. */
  readonly history: ReadonlyArray<Entry>
}

/** Grant of one device or sign-in. */
export interface Device extends Grant {
  readonly lastUse: LastUse
}

/** Connected apps of users: their pages and the platform end the access of apps here. */
export class Connections extends Context.Service<Connections, {
  /** Page of the connected apps of a user. */
  list(userId: UserId, wish: ListWish): Effect.Effect<ConnectionPage>
  /** Those of these apps that are connected, by their names. */
  find(userId: UserId, clientIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Connection>>
  details(userId: UserId, clientId: string): Effect.Effect<Option.Option<ConnectionDetails>>
  /** Ends the grants and tokens of these apps at once, all or none; answers those that had any. */
  disconnect(userId: UserId, ...clientIds: ReadonlyArray<ClientId>): Effect.Effect<ReadonlyArray<ClientId>>
  /** Apps that `endUnused` would end now. */
  unused(userId: UserId): Effect.Effect<UnusedConnections>
  /**
   * Ends those among these apps that still count as unused (`unused`); answers them. What they have got meanwhile
   * stays.
   */
  endUnused(userId: UserId, isChosen: (clientId: ClientId) => boolean): Effect.Effect<ReadonlyArray<UsedConnection>>
  /** Ends one grant of an app, as of a lost device; tells whether it had not ended before. */
  disconnectDevice(userId: UserId, clientId: ClientId, grantId: GrantId): Effect.Effect<boolean>
  /** Lets all access of an app end so long from now. It never lasts longer by that: tells whether any was shortened. */
  shorten(userId: UserId, clientId: ClientId, end: keyof typeof chosenEnds): Effect.Effect<boolean>
}>()("slotkey/core/consent/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function*() {
      const { grantIdleLifetime, grantLifetime } = yield* AppConfig
      const audit = yield* AuditLog
      const catalogue = yield* Catalogue
      const clients = yield* ClientRegistry
      const clock = yield* DatabaseClock
      const grants = yield* Grants
      const resources = yield* Resources
      const sums = yield* grantSums
      const revocation = yield* userRevocation
      const uses = yield* connectionUses

      const listed = Effect.fnUntraced(function*(userId: UserId, clientIds?: ReadonlyArray<string>) {
        const found = yield* sums(userId, clientIds)
        // Of a thousand apps most ask for the same as another.
        const judgements = new Map<string, Judgement>()
        return found.map((sum): Listed => {
          const scopes = sum.scopes && catalogue.inOrder(sum.scopes)
          const key = scopes === null ? "*" : scopes.join(" ")
          const judgement = judgements.get(key) ?? judge(catalogue, scopes)
          judgements.set(key, judgement)
          return { ...sum, scopes, judgement }
        })
      })

      const withClients = <A extends { readonly clientId: string }>(
        apps: ReadonlyArray<A>,
        found: ReadonlyMap<string, Client>
      ) =>
        apps.flatMap((app) => {
          const client = found.get(app.clientId)
          return client === undefined ? [] : [{ ...app, client }]
        })
      const withResources = Effect.fnUntraced(
        function*<A extends Listed & Pick<Connection, "client">>(apps: ReadonlyArray<A>) {
          const known = apps.some((app) => app.resources.length > 0) ? yield* resources.known : []
          return apps.map((app) => ({
            ...app,
            resources: known.filter(({ identifier }) => app.resources.includes(identifier))
          }))
        }
      )
      const readClients = (apps: ReadonlyArray<Listed>) => clients.findAll(apps.map(({ clientId }) => clientId))

      const listedUses = Effect.fnUntraced(function*(userId: UserId) {
        const sums = yield* listed(userId)
        const { coverage, grantsOf, useOf } = yield* uses.ofUser(userId)
        const all = sums.map((app): ListedUse => ({ ...app, use: useOf(app) }))
        const now = yield* clock.now
        const since = sixMonthsBefore(now)
        // Days on which calls were missed are known for as long as grants live.
        const isKnown = DateTime.isLessThanOrEqualTo(DateTime.subtractDuration(now, grantLifetime), since)
        return { all, coverage, grantsOf, now, unused: isKnown ? all.filter(isUnusedSince(since)) : [] }
      })

      const list = Effect.fn("Connections.list")(function*(userId: UserId, wish: ListWish) {
        const { all, coverage, now, unused } = yield* listedUses(userId)
        // What the clients are called is read of all only where somebody looks for a name.
        const names = isByName(wish) ? yield* readClients(all) : undefined
        const found = names === undefined
          ? all
          : withClients(all, names).filter(({ client }) => isFoundBy(wish)(client))
        const isShown = shownBy(DateTime.subtractDuration(now, unusedAfter(grantIdleLifetime)))
        const shown = found.filter(isShown[wish.show]).sort(orderOf(wish, names))
        const pages = Math.max(1, Math.ceil(shown.length / pageSize))
        const page = Math.min(Math.max(1, wish.page), pages)
        const onPage = shown.slice((page - 1) * pageSize, page * pageSize)
        return {
          connections: yield* withResources(withClients(onPage, names ?? (yield* readClients(onPage)))),
          coverage,
          page,
          pages,
          total: all.length,
          unused: unused.length,
          counts: Record.map(isShown, (isShown) => Array.countBy(found, isShown))
        }
      })

      const find = Effect.fn("Connections.find")(function*(userId: UserId, clientIds: ReadonlyArray<string>) {
        const apps = yield* listed(userId, clientIds.filter(isPlausible).slice(0, pageSize))
        return (yield* withResources(withClients(apps, yield* readClients(apps)))).sort(byName)
      })

      const details = Effect.fn("Connections.details")(function*(userId: UserId, clientId: string) {
        const [connection] = yield* find(userId, [clientId])
        if (connection === undefined) return Option.none()
        const ofApp = { userId, clientId: connection.clientId }
        const history = yield* audit.list({ ...ofApp, actions: historic, limit: mostHistory })
        const devices = yield* grants.listLive(userId, connection.clientId)
        const { coverage, lastUseOf, useOf } = yield* uses.judged(devices.map(listedGrant))
        return Option.some({
          connection: { ...connection, use: useOf(connection) },
          coverage,
          devices: devices.map((device): Device => ({ ...device, lastUse: lastUseOf(listedGrant(device)) })),
          history
        })
      })

      const unused = Effect.fn("Connections.unused")(function*(userId: UserId) {
        const { coverage, unused } = yield* listedUses(userId)
        return {
          connections: (yield* withResources(withClients(unused, yield* readClients(unused)))).sort(longestUnused),
          coverage
        }
      })

      const endUnused = Effect.fn("Connections.endUnused")(
        function*(userId: UserId, isChosen: (clientId: ClientId) => boolean) {
          const { grantsOf, unused } = yield* listedUses(userId)
          const chosen = unused.filter(({ clientId }) => isChosen(clientId))
          const ended = new Set<ClientId>()
          for (const some of Array.chunksOf(chosen, pageSize)) {
            const counts = yield* revocation.endThese(userId, some.flatMap(grantsOf).map(({ id }) => id))
            for (const clientId of counts.keys()) ended.add(clientId)
          }
          return yield* withResources(
            withClients(chosen.filter(({ clientId }) => ended.has(clientId)), yield* readClients(chosen))
          )
        }
      )

      return Connections.of({
        list,
        find,
        details,
        unused,
        endUnused,
        disconnect: (userId, ...clientIds) =>
          Effect.map(revocation.end(userId, clientIds.filter(isPlausible)), (ended) => [...ended.keys()]),
        disconnectDevice: revocation.endOne,
        shorten: (userId, clientId, end) =>
          Effect.map(revocation.shorten(userId, clientId, chosenEnds[end]), (shortened) => shortened > 0)
      })
    })
  ).pipe(Layer.provide(UsageReports.layer))
}

const longestUnused = Order.mapInput(
  Order.Number,
  ({ use: { quietSince } }: UsedConnection) => quietSince?.epochMilliseconds ?? 0
)

/** Entries of the trail about the access of an app. */
const historic = [
  "consent.allowed",
  "consent.denied",
  "consent.withdrawn",
  "grant.displaced",
  "grant.imported",
  "grant.revoked",
  "grant.shortened",
  "grant.superseded",
  "code.replayed",
  "refresh_token.reused"
]
const mostHistory = 20
