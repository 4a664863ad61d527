import type { CompiledRoute } from './compiled-route.ts'
import type { JsonSchema } from './json-schema.ts'

/** The resource that an operation returns, one or a list of it: the name of its type in generated clients. */
const resources: Readonly<Record<string, string>> = {
  createProduct: 'Product',
  openAccount: 'Account',
  listAccounts: 'Account',
  listProductOffers: 'ProductOffer',
  createAssistSession: 'AssistSession',
  createCollateral: 'Collateral',
  createRoutingProfile: 'RoutingProfile',
  createEventSubscription: 'EventSubscription',
  createNotificationTemplate: 'NotificationTemplate',
  createHardshipRequest: 'HardshipRequest',
  acceptLoanTerms: 'ConsumerLoanApplication',
  createNotification: 'Notification',
  listAgreements: 'Agreement',
  recordCreditDecision: 'CreditDecision',
  submitCreditApplication: 'CreditApplication',
  createPaymentHoliday: 'PaymentHoliday',
  createExtraPayment: 'ExtraPayment',
  createDrawdown: 'Drawdown',
  sendAssistMessage: 'AssistMessage',
  createPostingInstruction: 'PostingInstruction',
  listFeeRuns: 'FeeRun',
}

/** Collects the schemas of requests and responses under names, so that generated clients get types. */
export class NamedSchemas {
  readonly schemas: Record<string, JsonSchema> = {}

  /** A reference to what an operation returns: the resource, an array of it, or a page. */
  answer(operationId: string, { answer, answerSchema }: CompiledRoute): JsonSchema {
    const name = resourceOf(operationId)
    if (answer === 'record') return this.#named(name, answerSchema)
    if (answer === 'array') return this.#withItems(name, answerSchema)
    const properties = answerSchema['properties'] as Record<string, JsonSchema>
    const items = this.#withItems(name, properties['items']!)
    return this.#named(`${name}Page`, { ...answerSchema, properties: { ...properties, items } })
  }

  /** A reference to the body of an operation. */
  request(operationId: string, schema: JsonSchema): JsonSchema {
    return this.#named(`${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`, schema)
  }

  #withItems(name: string, list: JsonSchema): JsonSchema {
    return { ...list, items: this.#named(name, list['items'] as JsonSchema) }
  }

  /** Throws when two schemas want the same name. */
  #named(name: string, schema: JsonSchema): JsonSchema {
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are called ${name}.`)
    }
    this.schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }
}

function resourceOf(operationId: string): string {
  const name = resources[operationId]
  if (!name) throw new Error(`The operation ${operationId} returns no named resource.`)
  return name
}
