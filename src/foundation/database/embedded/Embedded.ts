import { Cause, Deferred, Duration, Effect, type Scope } from "effect"
import { accessSync, constants, existsSync, mkdirSync } from "node:fs"
import { extname, join } from "node:path"
import { Worker } from "node:worker_threads"
import { messageOf } from "../../../domain/Cause.ts"
import { threadFlags } from "../../config/ThreadFlags.ts"
import { migrations } from "../migrations/index.ts"
import { indexes } from "../migrations/indexes.ts"
import { acquire, EmbeddedError, socketPath } from "./DataFolder.ts"
import type { News, Opening, Order } from "./EmbeddedThread.ts"
import { forOwnerAlone } from "./ForOwnerAlone.ts"
import { nameOf } from "./ImageCache.ts"
import { WhileOpening } from "./WhileOpening.ts"

interface Served {
  /** Path of its socket. */
  readonly path: string
  /** True if the whole schema is there already: the database came from a kept image. */
  readonly isMigrated: boolean
  /** Keeps an image of a database in memory, whose schema must be whole, for later starts, if there is none yet. */
  readonly keepImage: Effect.Effect<void>
}

/**
 * Runs PostgreSQL on a thread of this process, with its data in the folder or in memory, and serves it on a socket in
 * the folder. So it is reached by the same client as a server, and the CLI can join it. When it breaks it is opened
 * again, as a server of PostgreSQL recovers from a crash.
 */
export const serve = Effect.fn("Embedded.serve")(function*(
  folder: string,
  storage: "folder" | "memory"
): Effect.fn.Return<Served, EmbeddedError, Scope.Scope> {
  const path = socketPath(folder)
  yield* Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // A read-only file system answers the attempt to make a folder as if the one above were missing.
      accessSync(folder, constants.W_OK)
      // The folder may have existed and be open to other users, and PGlite makes its files writable for everybody.
      mkdirSync(join(folder, "db"), { recursive: true })
      forOwnerAlone(join(folder, "db"), 0o700)
    },
    catch: (cause) =>
      new EmbeddedError({
        message: `The data folder ${folder} cannot be ${existsSync(folder) ? "written" : "made"}: ${messageOf(cause)}`
      })
  })
  if (path.length > 100) {
    return yield* new EmbeddedError({
      message: `The path of the data folder ${folder} is too long for a socket (100 characters)`
    })
  }
  yield* acquire(folder, path)
  const started = yield* Deferred.make<Effect.Success<ReturnType<typeof open>>, EmbeddedError>()
  const run = Effect.scoped(Effect.gen(function*() {
    const opened = yield* open({ folder, storage, socket: path, imageName })
    yield* Deferred.succeed(started, opened)
    yield* Effect.logError("The embedded database broke", yield* Effect.promise(() => opened.thread.broken))
  }))
  const runAgain = Effect.catchCause(
    run,
    (cause) => Effect.andThen(Effect.logError(messageOf(Cause.squash(cause))), Effect.sleep("1 second"))
  )
  // The data in a folder is there again; a database in memory is gone.
  const supervise = storage === "folder" ? Effect.andThen(run, Effect.forever(runAgain)) : run
  // Whatever ends it, even a fault of this program: nobody may wait forever.
  yield* Effect.forkScoped(
    Effect.interruptible(Effect.catchCause(supervise, (cause) => Deferred.failCause(started, cause)))
  )
  const { isMigrated, thread } = yield* Deferred.await(started)
  const keepImage = Effect.tryPromise({ try: () => thread.keepImage(), catch: messageOf }).pipe(
    Effect.timeoutOrElse({ duration: keepTimeout, orElse: () => Effect.fail("The database does not answer") }),
    Effect.catch((reason) =>
      Effect.logWarning("No image of the empty database is kept: the next start is as slow as this one", reason)
    )
  )
  return { path, isMigrated, keepImage }
})

const open = Effect.fnUntraced(function*(opening: Opening) {
  const thread = yield* Effect.acquireRelease(
    Effect.sync(() => startThread(opening)),
    (thread) => Effect.promise(() => thread.close())
  )
  yield* yield* WhileOpening
  const isMigrated = yield* Effect.tryPromise({
    try: () => thread.opened,
    catch: (cause) =>
      new EmbeddedError({ message: `The database in ${opening.folder} cannot be opened: ${messageOf(cause)}` })
  })
  return { thread, isMigrated }
})

const startThread = (opening: Opening) => {
  const opened = Promise.withResolvers<boolean>()
  const broken = Promise.withResolvers<string>()
  const imageKept = Promise.withResolvers<void>()
  let isBroken = false
  const breaks = (cause: string) => {
    isBroken = true
    broken.resolve(cause)
  }

  const worker = new Worker(threadFile, { workerData: opening, ...threadFlags })
  const order = (order: Order) => worker.postMessage(order)
  // After an error, too: `once` would reject then.
  const ended = new Promise((resolve) => worker.once("exit", resolve))
  // Nobody may wait for it yet when it fails.
  for (const { promise } of [opened, imageKept]) promise.catch(() => {})
  worker.on("message", (news: News) => {
    if (news.state === "open") opened.resolve(news.isMigrated)
    else if (news.state === "image kept") imageKept.resolve()
    else if (news.state === "image not kept") imageKept.reject(new Error(news.cause))
    else breaks(news.cause)
  })
  worker.on("error", (cause) => {
    opened.reject(cause)
    breaks(messageOf(cause))
  })
  worker.on("exit", () => {
    opened.reject(new Error("Its thread ended"))
    breaks("Its thread ended")
  })

  return {
    /** Tells, once the socket answers, if the whole schema is there; rejects if the database cannot be opened. */
    opened: opened.promise,
    /** Resolves with the reason when the database serves nobody any more. */
    broken: broken.promise,
    /**
     * Resolves once the image is kept, or the database breaks, which is reported elsewhere; rejects if there will be no
     * image.
     */
    keepImage: async () => {
      order("keep image")
      await Promise.race([imageKept.promise, broken.promise])
    },
    /**
     * Closes the database, so that the next start need not recover it. One that broke, or is not closed in time, is
     * left to that; one in memory has no next start.
     */
    close: async () => {
      order("close")
      const patience = isBroken || opening.storage === "memory" ? 0 : closeTimeoutMillis
      const deadline = setTimeout(() => void worker.terminate(), patience)
      await ended
      clearTimeout(deadline)
    }
  }
}

const imageName = nameOf([...Object.keys(migrations), ...indexes.map(({ name, on }) => `${name} ON ${on}`)])

// In the package the files are compiled.
const threadFile = new URL(`EmbeddedThread${extname(import.meta.filename)}`, import.meta.url)

const closeTimeoutMillis = 5_000
// It takes half a second.
const keepTimeout = Duration.seconds(30)
