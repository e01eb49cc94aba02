import { Context, Effect, Equal, Layer, Option, Redacted, Schema } from "effect"
import { compactDecrypt, CompactEncrypt, decodeProtectedHeader } from "jose"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import { messageOf } from "../../domain/Cause.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"

/**
 * Master key that is missing, malformed, or not the one that sealed a key. The message is one line for the operator.
 */
export class MasterKeyError extends Schema.TaggedError<MasterKeyError>()("MasterKeyError", {
  message: Schema.String
}) {}

/**
 * Seals the server's private keys for the database, so that a dump of it opens nothing. Key rings seal and unseal with
 * it; `KeyRotation` replaces it. It comes from the environment (`MASTER_KEY`); embedded mode creates its own once and
 * keeps it in the data folder.
 */
export class MasterKey extends Context.Service<MasterKey, {
  /** Encrypts under the newest master key (RFC 7516, `dir` with `A256GCM`). */
  seal(secret: Uint8Array): Effect.Effect<string, MasterKeyError>
  /** Decrypts what the newest or the previous master key has sealed. */
  unseal(sealed: string): Effect.Effect<Redacted.Redacted<Uint8Array>, MasterKeyError>
  /** Same for what is a text, such as a secret that its owner reads. */
  unsealText(sealed: string): Effect.Effect<Redacted.Redacted, MasterKeyError>
  /** Keys for another purpose (RFC 5869): from the newest master key at the start, then from the previous one. */
  derive(purpose: string): readonly [KeyObject, ...ReadonlyArray<KeyObject>]
  /** Tells whether a key was sealed under the newest master key. */
  isCurrent(sealed: string): Effect.Effect<boolean, MasterKeyError>
  /**
   * Creates a new master key in embedded mode, where the previous one still unseals. Elsewhere the operator sets both
   * keys; it fails with instructions until that is done.
   */
  readonly renew: Effect.Effect<void, MasterKeyError>
  /** Deletes the previous master key in embedded mode, when nothing is sealed under it any more. */
  readonly forgetPrevious: Effect.Effect<void, MasterKeyError>
}>()("slotkey/core/keys/MasterKey") {
  static readonly layer: Layer.Layer<MasterKey, MasterKeyError, AppConfig> = Layer.suspend(() => layerWith(createKey))

  /** Same for who only looks: where embedded mode has no master key, it fails. */
  static readonly layerExisting: Layer.Layer<MasterKey, MasterKeyError, AppConfig> = Layer.suspend(() =>
    layerWith((file) => {
      throw new MasterKeyError({ message: `The master key ${file} is missing` })
    })
  )
}

const layerWith = (create: (file: string) => void): Layer.Layer<MasterKey, MasterKeyError, AppConfig> =>
  Layer.effect(
    MasterKey,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const keys = Option.match(config.masterKey, {
        onSome: (key) => fromEnvironment(key, config.masterKeyPrevious),
        onNone: () => inFolder(config.dataDir, create)
      })
      const atStart = yield* keys.read

      const seal = Effect.fn("MasterKey.seal")(function*(secret: Uint8Array) {
        const { current } = yield* keys.read
        return yield* Effect.promise(() =>
          new CompactEncrypt(secret)
            .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: idOf(current) })
            .encrypt(Redacted.value(current))
        )
      })

      const unseal = Effect.fn("MasterKey.unseal")(function*(sealed: string) {
        const { current, previous } = yield* keys.read
        const kid = sealedUnder(sealed)
        const key = [current, ...Option.toArray(previous)].find((key) => idOf(key) === kid)
        if (key === undefined) {
          const message = `A key in the database is sealed under another master key: ${keys.remedy} (docs/keys.md)`
          return yield* new MasterKeyError({ message })
        }
        const { plaintext } = yield* Effect.tryPromise({
          try: () => compactDecrypt(sealed, Redacted.value(key)),
          catch: () => new MasterKeyError({ message: "A key in the database is damaged: it cannot be unsealed" })
        })
        return Redacted.make(plaintext, { label: "server key" })
      })

      const unsealText = (sealed: string) =>
        Effect.map(
          unseal(sealed),
          (bytes) => Redacted.make(Buffer.from(Redacted.value(bytes)).toString(), { label: "sealed secret" })
        )

      const derive = (purpose: string) => {
        const derived = (key: Key) =>
          createSecretKey(Buffer.from(hkdfSync("sha256", Redacted.value(key), "", purpose, 32)))
        return [derived(atStart.current), ...Option.toArray(atStart.previous).map(derived)] as const
      }

      return MasterKey.of({
        seal,
        unseal,
        unsealText,
        derive,
        isCurrent: (sealed) => Effect.map(keys.read, ({ current }) => idOf(current) === sealedUnder(sealed)),
        renew: keys.renew,
        forgetPrevious: keys.forgetPrevious
      })
    })
  )

type Key = Redacted.Redacted<Uint8Array>

interface Keys {
  /** Operator's way out when a key is sealed under neither. */
  readonly remedy: string
  readonly read: Effect.Effect<{ readonly current: Key; readonly previous: Option.Option<Key> }, MasterKeyError>
  readonly renew: Effect.Effect<void, MasterKeyError>
  readonly forgetPrevious: Effect.Effect<void, MasterKeyError>
}

const fromEnvironment = (current: Key, previous: Option.Option<Key>): Keys => ({
  remedy: "set MASTER_KEY to that one, or MASTER_KEY_PREVIOUS while it is being replaced",
  read: Effect.succeed({ current, previous }),
  // The operator has set both keys, so there is nothing to create and nothing to delete.
  renew: Option.isSome(previous) ? Effect.void : Effect.fail(
    new MasterKeyError({
      message: "Set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the old one, restart all servers, then repeat"
    })
  ),
  forgetPrevious: Effect.void
})

/** Keeps the keys in two files, which are read each time: a command beside the server may renew the key. */
const inFolder = (folder: string, create: (file: string) => void): Keys => {
  const files = { current: join(folder, "master.key"), previous: join(folder, "master.key.previous") }
  const attempt = <A>(action: () => A) =>
    Effect.try({
      try: action,
      catch: (cause) =>
        cause instanceof MasterKeyError
          ? cause
          : new MasterKeyError({ message: `The master key in ${folder} cannot be used: ${messageOf(cause)}` })
    })
  return {
    remedy: `put that one back as ${files.current}, or set MASTER_KEY to it`,
    read: attempt(() => {
      const current = readKey(files.current)
      if (Option.isSome(current)) return { current: current.value, previous: readKey(files.previous) }
      // If two processes start at once, one creates the key and both use it.
      create(files.current)
      return { current: Option.getOrThrow(readKey(files.current)), previous: Option.none() }
    }),
    renew: attempt(() => {
      // Continues an interrupted renewal instead of starting over.
      const current = Option.map(readKey(files.current), idOf)
      const previous = Option.map(readKey(files.previous), idOf)
      if (Option.isSome(previous) && !Equal.equals(previous, current)) return
      if (Option.isNone(previous)) linkSync(files.current, files.previous)
      const next = `${files.current}.next`
      rmSync(next, { force: true })
      createKey(next)
      renameSync(next, files.current)
    }),
    forgetPrevious: attempt(() => rmSync(files.previous, { force: true }))
  }
}

const readKey = (file: string): Option.Option<Key> => {
  try {
    const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64url")
    if (key.length !== 32) throw new MasterKeyError({ message: `${file} does not hold 32 bytes in base64url` })
    return Option.some(Redacted.make<Uint8Array>(key, { label: "master key" }))
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return Option.none()
    throw cause
  }
}

/**
 * Creates a key file. It is written aside and linked into place, so that it is there whole or not at all, and never
 * replaced.
 */
const createKey = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${randomBytes(8).toString("hex")}`
  const descriptor = openSync(aside, "wx", 0o600)
  writeSync(descriptor, randomBytes(32).toString("base64url"))
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(aside, file)
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) throw cause
  } finally {
    rmSync(aside)
  }
}

/** A name for a master key that does not reveal it. */
const idOf = (key: Key): string =>
  createHmac("sha256", Redacted.value(key)).update("slotkey master key").digest("base64url").slice(0, 16)

const sealedUnder = (sealed: string): string | undefined => {
  try {
    return decodeProtectedHeader(sealed).kid
  } catch {
    return undefined
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
