import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import { defaultAddress, type Leg, type Phase } from '../../../ledger/domain/balance.ts'
import type { Instruction, InstructionType, Movement } from '../../../ledger/domain/instruction.ts'
import { accountIdOf, internalId } from './entry-account.ts'
import type { Rail } from './rail.ts'

export const maxInstructionsPerBatch = 1000
export const directions = ['in', 'out'] as const

/** A decimal amount with its currency. */
export interface AmountRequest {
  amount: string
  currency: string
  /** Whether the amount was sent as a decimal string. Errors then point to the string itself. */
  isText?: boolean
}

export interface EntryRequest {
  account: string
  side: Side
  amount: AmountRequest
  address?: string | null
  phase?: Phase | null
}

/** The instruction in a request. The required fields depend on its type. */
export interface InstructionRequest {
  type?: InstructionType | null
  amount?: AmountRequest | null
  creditorAmount?: AmountRequest | null
  fxOverrideReason?: string | null
  arrangementId?: string | null
  direction?: (typeof directions)[number] | null
  debtorArrangementId?: string | null
  creditorArrangementId?: string | null
  internalAccountCode?: string | null
  clientTransactionId?: string | null
  entries?: EntryRequest[] | null
  reversesId?: string | null
  valueDate?: LocalDate | null
  expiresAt?: Date | null
  final?: boolean | null
  advice?: boolean | null
  rail?: string | null
}

/**
 * Creates the requested instruction. If the type is omitted, it is inferred from the other fields.
 * If the internal account is omitted, it is the settlement account of the named rail, or
 * `settlement`. `basePointer` is the JSON pointer of the instruction in the request. Throws:
 * - VALIDATION_FAILED if a field is missing or does not apply to the type,
 * - INTERNAL_ACCOUNT_NOT_FOUND if an internal account does not exist,
 * - CONTROL_ACCOUNT_NOT_POSTABLE if an internal account is a control account.
 */
export function instructionOf(
  request: InstructionRequest,
  now: Date,
  rails: readonly Rail[],
  basePointer = '',
): Instruction {
  const type = request.type ?? inferType(request)
  if (!type) {
    throw invalid(
      `${basePointer}/type`,
      'REQUIRED',
      'Send the type; it cannot be inferred from the other fields.',
    )
  }
  // Results use the same GraphQL enum, and only a result can have the type `batch`.
  if (!Object.hasOwn(fieldsByType, type)) {
    throw invalid(
      `${basePointer}/type`,
      'NOT_OF_THIS_TYPE',
      'BATCH is not a type of instruction. To post a batch, use `instructions`.',
    )
  }
  const fields = new FieldReader(request, type, rails, basePointer)
  const terms = {
    valueDate: request.valueDate ?? dateOf(now),
    isAdvice: request.advice ?? false,
    clientTransactionId: request.clientTransactionId ?? null,
  }
  return { ...terms, ...movementFrom(type, fields) } as Instruction
}

function inferType(request: InstructionRequest): InstructionType | null {
  if (request.debtorArrangementId && request.creditorArrangementId) return 'transfer'
  if (request.arrangementId && request.direction === 'in') return 'inbound-hard-settlement'
  if (request.arrangementId && request.direction === 'out') return 'outbound-hard-settlement'
  if (request.entries) return 'custom'
  return request.reversesId ? 'reversal' : null
}

function movementFrom(type: InstructionType, fields: FieldReader): Movement {
  switch (type) {
    case 'inbound-hard-settlement':
    case 'outbound-hard-settlement':
      return { type, ...fields.oneAccount() }
    case 'inbound-authorisation':
    case 'outbound-authorisation':
      return {
        type,
        ...fields.oneAccount(),
        clientTransactionId: fields.required('clientTransactionId'),
        expiresAt: fields.optional('expiresAt'),
      }
    case 'authorisation-adjustment':
      return {
        type,
        clientTransactionId: fields.required('clientTransactionId'),
        money: fields.money('amount')!,
      }
    case 'settlement': {
      const money = fields.optional('amount') && fields.money('amount')
      const isFinal = fields.optional('final') ?? money === null
      return { type, clientTransactionId: fields.required('clientTransactionId'), money, isFinal }
    }
    case 'release': {
      return { type, clientTransactionId: fields.required('clientTransactionId'), isExpiry: false }
    }
    case 'transfer':
      return {
        type,
        debtorId: fields.required('debtorArrangementId'),
        creditorId: fields.required('creditorArrangementId'),
        money: fields.money('amount')!,
        creditorMoney: fields.optional('creditorAmount') && fields.money('creditorAmount'),
      }
    case 'custom':
      return { type, legs: fields.legs() }
    case 'reversal':
      return { type, reversesId: fields.required('reversesId') }
  }
}

/** Reads the fields of a request. Its errors point to the field concerned. */
class FieldReader {
  readonly #request: InstructionRequest
  readonly #type: InstructionType
  readonly #rails: readonly Rail[]
  readonly #basePointer: string

  constructor(
    request: InstructionRequest,
    type: InstructionType,
    rails: readonly Rail[],
    basePointer: string,
  ) {
    this.#request = request
    this.#type = type
    this.#rails = rails
    this.#basePointer = basePointer
    for (const [name, value] of Object.entries(request)) {
      if (value === null || value === undefined) continue
      if (commonFields.has(name) || fieldsByType[type].includes(name)) continue
      throw invalid(
        `${basePointer}/${name}`,
        'NOT_OF_THIS_TYPE',
        `The field does not apply to the type ${type}.`,
      )
    }
  }

  optional<Name extends keyof InstructionRequest>(
    name: Name,
  ): NonNullable<InstructionRequest[Name]> | null {
    return this.#request[name] ?? null
  }

  required<Name extends keyof InstructionRequest>(
    name: Name,
  ): NonNullable<InstructionRequest[Name]> {
    const value = this.#request[name]
    if (value !== null && value !== undefined) return value
    throw invalid(
      `${this.#basePointer}/${name}`,
      'REQUIRED',
      `The type ${this.#type} requires this field.`,
    )
  }

  money(name: 'amount' | 'creditorAmount'): Money {
    const amount = this.required(name)
    const { currency } = amount
    return { amountMinor: minorOf(amount, `${this.#basePointer}/${name}`), currency }
  }

  oneAccount() {
    const money = this.money('amount')
    const rail = this.optional('rail')
    const code =
      this.optional('internalAccountCode') ??
      this.#rails.find(({ name }) => name === rail)?.settlementAccount
    const contraId = internalId(
      code ?? 'settlement',
      money.currency,
      `${this.#basePointer}/internalAccountCode`,
    )
    return { accountId: this.required('arrangementId'), contraId, money }
  }

  legs(): Leg[] {
    const entries = this.required('entries')
    if (entries.length < 2 || entries.length > 100) {
      throw invalid(
        `${this.#basePointer}/entries`,
        'OUT_OF_RANGE',
        `The posting has ${entries.length} entries; it must have 2 to 100.`,
      )
    }
    return entries.map((entry, index) => {
      const pointer = `${this.#basePointer}/entries/${index}`
      if (entry.phase && entry.phase !== 'committed') {
        const detail =
          'A custom posting has committed entries only. Use authorizations for pending amounts.'
        throw invalid(`${pointer}/phase`, 'NOT_OF_THIS_TYPE', detail)
      }
      return {
        accountId: accountIdOf(entry.account, entry.amount.currency, `${pointer}/account`),
        address: entry.address ?? defaultAddress,
        phase: 'committed',
        side: entry.side,
        amountMinor: minorOf(entry.amount, `${pointer}/amount`),
        currency: entry.amount.currency,
      }
    })
  }
}

function minorOf({ amount, currency, isText }: AmountRequest, pointer: string): bigint {
  return parseAmount(amount, currency, isText ? pointer : `${pointer}/amount`)
}

const commonFields = new Set([
  'type',
  'valueDate',
  'advice',
  'clientTransactionId',
  'rail',
  'endToEndId',
  'remittanceInformation',
  'counterparty',
  'metadata',
])
const oneAccountFields = ['amount', 'arrangementId', 'direction', 'internalAccountCode']

const fieldsByType: Readonly<Record<InstructionType, readonly string[]>> = {
  'inbound-hard-settlement': oneAccountFields,
  'outbound-hard-settlement': oneAccountFields,
  'inbound-authorisation': [...oneAccountFields, 'expiresAt'],
  'outbound-authorisation': [...oneAccountFields, 'expiresAt'],
  'authorisation-adjustment': ['amount'],
  settlement: ['amount', 'final'],
  release: [],
  transfer: [
    'amount',
    'creditorAmount',
    'debtorArrangementId',
    'creditorArrangementId',
    'fxOverrideReason',
  ],
  custom: ['entries', 'fxOverrideReason'],
  reversal: ['reversesId'],
}

function invalid(pointer: string, code: string, detail: string): Problem {
  const fault: ValidationError = { pointer, code, detail }
  return new Problem('VALIDATION_FAILED', { detail, errors: [fault] })
}
