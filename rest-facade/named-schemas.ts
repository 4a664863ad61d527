import type { CompiledRoute } from './compiled-route.ts'
import type { JsonSchema } from './json-schema.ts'

/**
 * The name of the resource that each operation returns, unless its name is `create` and the resource.
 * Generated clients use it as the name of a type.
 */
const resources: Readonly<Record<string, string>> = {
  openAccount: 'Account',
  listAccounts: 'Account',
  listProductOffers: 'ProductOffer',
  acceptLoanTerms: 'ConsumerLoanApplication',
  listAgreements: 'Agreement',
  recordCreditDecision: 'CreditDecision',
  submitCreditApplication: 'CreditApplication',
  sendAssistMessage: 'AssistMessage',
  listFeeRuns: 'FeeRun',
}

/**
 * Collects the schemas of requests and responses by name, so that generated clients have named
 * types.
 */
export class NamedSchemas {
  readonly schemas: Record<string, JsonSchema> = {}

  /**
   * Returns a reference to the response of an operation: the resource, an array of resources, or a
   * page of them.
   */
  answer(operationId: string, { answer, answerSchema }: CompiledRoute): JsonSchema {
    const name = resourceOf(operationId)
    if (answer === 'record') return this.#addSchema(name, answerSchema)
    if (answer === 'array') return this.#addItems(name, answerSchema)
    const properties = answerSchema['properties'] as Record<string, JsonSchema>
    const items = this.#addItems(name, properties['items']!)
    return this.#addSchema(`${name}Page`, { ...answerSchema, properties: { ...properties, items } })
  }

  /** Returns a reference to the request body of an operation. */
  request(operationId: string, schema: JsonSchema): JsonSchema {
    return this.#addSchema(`${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`, schema)
  }

  #addItems(name: string, list: JsonSchema): JsonSchema {
    return { ...list, items: this.#addSchema(name, list['items'] as JsonSchema) }
  }

  /**
   * Adds a schema and returns a reference to it. Throws an Error if another schema has the same
   * name.
   */
  #addSchema(name: string, schema: JsonSchema): JsonSchema {
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are named ${name}.`)
    }
    this.schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }
}

/** An operation that creates a record is named after it, so only others need an entry. */
function resourceOf(operationId: string): string {
  const name = resources[operationId] ?? /^create(\w+)$/.exec(operationId)?.[1]
  if (!name) throw new Error(`The operation ${operationId} returns no named resource.`)
  return name
}
