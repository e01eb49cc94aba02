import { Option, Result, Schema } from "effect"
import type { Finding } from "../../files/FileProblem.ts"
import { findings } from "../../files/SchemaFindings.ts"
import { OperationEntry } from "../../operations/OperationEntry.ts"
import { AreaEntry, CatalogueFile, LevelEntry, ScopeEntry } from "./CatalogueFile.ts"

/** What a file has that is in shape. Entries at fault are missing, and the others keep their place. */
export interface Entries {
  readonly levels: ReadonlyArray<LevelEntry | undefined>
  readonly areas: ReadonlyArray<AreaEntry | undefined>
  readonly scopes: ReadonlyArray<ScopeEntry | undefined>
  readonly operations: ReadonlyArray<OperationEntry | undefined>
  readonly profile: CatalogueFile["profile"] | undefined
  readonly samples: CatalogueFile["samples"] | undefined
  /** Names of entries at fault as well: who refers to one of these makes no second mistake. */
  readonly scopeNames: ReadonlySet<string>
  readonly levelIds: ReadonlySet<string>
  readonly areaIds: ReadonlySet<string>
}

interface Decoded {
  readonly entries: Entries
  /** Absent when something is not in shape. */
  readonly file: CatalogueFile | undefined
  readonly findings: ReadonlyArray<Finding>
}

/** Decodes a catalogue; finds all that is not in shape, and keeps the rest, so that its rules can be checked, too. */
export const decode = (value: unknown): Decoded => {
  const decoded = decodeFile(value)
  if (Result.isFailure(decoded)) {
    return { entries: inShape(value), file: undefined, findings: findings(decoded.failure.issue, []) }
  }
  const file = decoded.success
  const scopeNames = new Set(file.scopes.map(({ name }) => name))
  const levelIds = new Set(file.levels.map(({ id }) => id))
  const { areas = [] } = file
  const areaIds = new Set(areas.map(({ id }) => id))
  return { entries: { ...file, areas, scopeNames, levelIds, areaIds }, file, findings: [] }
}

const decodeFile = Schema.decodeUnknownResult(CatalogueFile, {
  errors: "all",
  onExcessProperty: "error",
  reportInput: true
})

const inShape = (value: unknown): Entries => {
  const { areas, levels, operations, profile, samples, scopes } = orNothing(Fields)(value) ?? {}
  const listOf = <A>(entry: Schema.Decoder<A>, list: unknown) => (orNothing(List)(list) ?? []).map(orNothing(entry))
  const idsOf = (list: unknown) =>
    new Set(listOf(Identified, list).flatMap((entry) => entry === undefined ? [] : [entry.id]))
  return {
    levels: listOf(LevelEntry, levels),
    areas: listOf(AreaEntry, areas),
    scopes: listOf(ScopeEntry, scopes),
    operations: listOf(OperationEntry, operations),
    profile: orNothing(CatalogueFile.fields.profile)(profile),
    samples: orNothing(CatalogueFile.fields.samples)(samples),
    scopeNames: new Set(listOf(Named, scopes).flatMap((entry) => entry === undefined ? [] : [entry.name])),
    levelIds: idsOf(levels),
    areaIds: idsOf(areas)
  }
}

const orNothing = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (value: unknown): A | undefined => Option.getOrUndefined(decode(value))
}

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const List = Schema.Array(Schema.Unknown)
const Named = Schema.Struct({ name: Schema.String })
const Identified = Schema.Struct({ id: Schema.String })
