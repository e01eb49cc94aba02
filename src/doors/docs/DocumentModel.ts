import { Schema } from "effect"

// What the page of the reference reads of the OpenAPI document. Everything else of it is for programs.

/** A JSON schema, as far as the page describes it. */
export interface Shape extends Schema.Struct.Type<typeof flat> {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: ReadonlyArray<Shape>
}

const flat = {
  $ref: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  const: Schema.optionalKey(Schema.Unknown),
  required: Schema.optionalKey(Schema.Array(Schema.String))
}

const nested = Schema.suspend((): Schema.Codec<Shape> => Shape)

const Shape = Schema.Struct({
  ...flat,
  properties: Schema.optionalKey(Schema.Record(Schema.String, nested)),
  items: Schema.optionalKey(nested),
  anyOf: Schema.optionalKey(Schema.Array(nested))
})

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: Shape }))

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header", "cookie"]),
  required: Schema.Boolean,
  schema: Shape,
  description: Schema.optionalKey(Schema.String)
})
export type Parameter = typeof Parameter.Type

const Answer = Schema.Struct({ description: Schema.String, content: Schema.optionalKey(Content) })
export type Answer = typeof Answer.Type

const Server = Schema.Struct({ url: Schema.String })

const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Schema.Array(Schema.String),
  summary: Schema.String,
  description: Schema.optionalKey(Schema.String),
  parameters: Schema.Array(Parameter),
  security: Schema.Array(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(Schema.String, Answer)
})
type Operation = typeof Operation.Type

const operation = Schema.optionalKey(Operation)

const Document = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  servers: Schema.Array(Server),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
  paths: Schema.Record(
    Schema.String,
    Schema.Struct({
      servers: Schema.optionalKey(Schema.Array(Server)),
      get: operation,
      post: operation,
      put: operation,
      patch: operation,
      delete: operation
    })
  ),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Shape),
    securitySchemes: Schema.Record(Schema.String, Schema.Struct({ description: Schema.optionalKey(Schema.String) }))
  })
})
export type Document = typeof Document.Type

export const readDocument = Schema.decodeUnknownSync(Document)

/** An operation with where it is. */
export interface Placed extends Operation {
  readonly method: string
  readonly path: string
  /** Address of the server that has it. */
  readonly server: string
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths, servers }: Document): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, { servers: own = servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      server: own[0]?.url ?? ""
    }))
  )
