import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { parseAmount, type Money } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import {
  controlAccounts,
  internalAccountId,
  isChartCode,
  type ChartCode,
} from '../../_ledger/domain/account.ts'
import { defaultAddress, type Leg, type Phase } from '../../_ledger/domain/balance.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import type { Instruction, InstructionType, Movement } from '../../_ledger/domain/instruction.ts'

export const mostInBatch = 1000
export const directions = ['in', 'out'] as const

/** A decimal amount with its currency. */
export interface AmountAsked {
  amount: string
  currency: string
  /** It was sent as a decimal string alone; faults then point at it, not into it. */
  isText?: boolean
}

export interface EntryAsked {
  account: string
  side: Side
  amount: AmountAsked
  address?: string | null
  phase?: Phase | null
}

/** An instruction as it is sent. Which members it needs depends on its type. */
export interface InstructionAsked {
  type?: InstructionType | null
  amount?: AmountAsked | null
  creditorAmount?: AmountAsked | null
  fxOverrideReason?: string | null
  arrangementId?: string | null
  direction?: (typeof directions)[number] | null
  debtorArrangementId?: string | null
  creditorArrangementId?: string | null
  internalAccountCode?: string | null
  clientTransactionId?: string | null
  entries?: EntryAsked[] | null
  reversesId?: string | null
  valueDate?: LocalDate | null
  expiresAt?: Date | null
  final?: boolean | null
  advice?: boolean | null
  rail?: string | null
}

/** Where money of a rail waits until the bank and the others have settled. */
const railAccounts: Readonly<Record<string, ChartCode>> = {
  internal: 'settlement',
  sct: 'settlement-sct',
}

/**
 * The instruction that was asked for. Its type may be left out where the other members say it.
 * Refuses with VALIDATION_FAILED a member that is missing or belongs to another type, and with
 * INTERNAL_ACCOUNT_NOT_FOUND a code that is none of the bank's own, and with
 * CONTROL_ACCOUNT_NOT_POSTABLE one whose balance an area keeps.
 */
export function instructionOf(asked: InstructionAsked, now: Date, at = ''): Instruction {
  const type = asked.type ?? inferType(asked)
  if (!type) {
    throw invalid(`${at}/type`, 'REQUIRED', 'The type does not follow from the other members.')
  }
  // An answer may be a batch, and its name is taken for that of an instruction.
  if (!Object.hasOwn(membersOf, type)) {
    throw invalid(`${at}/type`, 'NOT_OF_THIS_TYPE', 'A batch has its instructions in a list.')
  }
  const read = new Members(asked, type, at)
  const terms = {
    valueDate: asked.valueDate ?? dateOf(now),
    isAdvice: asked.advice ?? false,
    clientTransactionId: asked.clientTransactionId ?? null,
  }
  return { ...terms, ...movementOf(type, read) } as Instruction
}

function inferType(asked: InstructionAsked): InstructionType | null {
  if (asked.debtorArrangementId && asked.creditorArrangementId) return 'transfer'
  if (asked.arrangementId && asked.direction === 'in') return 'inbound-hard-settlement'
  if (asked.arrangementId && asked.direction === 'out') return 'outbound-hard-settlement'
  if (asked.entries) return 'custom'
  return asked.reversesId ? 'reversal' : null
}

function movementOf(type: InstructionType, read: Members): Movement {
  switch (type) {
    case 'inbound-hard-settlement':
    case 'outbound-hard-settlement':
      return { type, ...read.oneAccount() }
    case 'inbound-authorisation':
    case 'outbound-authorisation':
      return {
        type,
        ...read.oneAccount(),
        clientTransactionId: read.needed('clientTransactionId'),
        expiresAt: read.optional('expiresAt'),
      }
    case 'authorisation-adjustment':
      return {
        type,
        clientTransactionId: read.needed('clientTransactionId'),
        money: read.money('amount')!,
      }
    case 'settlement': {
      const money = read.optional('amount') && read.money('amount')
      const isFinal = read.optional('final') ?? money === null
      return { type, clientTransactionId: read.needed('clientTransactionId'), money, isFinal }
    }
    case 'release': {
      return { type, clientTransactionId: read.needed('clientTransactionId'), isExpiry: false }
    }
    case 'transfer':
      return {
        type,
        debtorId: read.needed('debtorArrangementId'),
        creditorId: read.needed('creditorArrangementId'),
        money: read.money('amount')!,
        creditorMoney: read.optional('creditorAmount') && read.money('creditorAmount'),
      }
    case 'custom':
      return { type, legs: read.legs() }
    case 'reversal':
      return { type, reversesId: read.needed('reversesId') }
  }
}

/** Reads the members of an instruction, each with its place in the request for the refusal. */
class Members {
  readonly #asked: InstructionAsked
  readonly #type: InstructionType
  readonly #at: string

  constructor(asked: InstructionAsked, type: InstructionType, at: string) {
    this.#asked = asked
    this.#type = type
    this.#at = at
    for (const [name, value] of Object.entries(asked)) {
      if (value === null || value === undefined) continue
      if (everywhere.has(name) || membersOf[type].includes(name)) continue
      throw invalid(`${at}/${name}`, 'NOT_OF_THIS_TYPE', `Not a member of a ${type}.`)
    }
  }

  optional<Name extends keyof InstructionAsked>(
    name: Name,
  ): NonNullable<InstructionAsked[Name]> | null {
    return this.#asked[name] ?? null
  }

  needed<Name extends keyof InstructionAsked>(name: Name): NonNullable<InstructionAsked[Name]> {
    const value = this.#asked[name]
    if (value !== null && value !== undefined) return value
    throw invalid(`${this.#at}/${name}`, 'REQUIRED', `A ${this.#type} needs this member.`)
  }

  money(name: 'amount' | 'creditorAmount'): Money {
    const asked = this.needed(name)
    const { currency } = asked
    return { amountMinor: minorOf(asked, `${this.#at}/${name}`), currency }
  }

  oneAccount() {
    const money = this.money('amount')
    const rail = this.optional('rail')
    const code = this.optional('internalAccountCode') ?? (rail && railAccounts[rail])
    const contraId = internalId(
      code ?? 'settlement',
      money.currency,
      `${this.#at}/internalAccountCode`,
    )
    return { accountId: this.needed('arrangementId'), contraId, money }
  }

  legs(): Leg[] {
    const entries = this.needed('entries')
    if (entries.length < 2 || entries.length > 100) {
      throw invalid(`${this.#at}/entries`, 'OUT_OF_RANGE', 'From 2 to 100 entries.')
    }
    return entries.map((entry, index) => {
      const at = `${this.#at}/entries/${index}`
      if (entry.phase && entry.phase !== 'committed') {
        const detail = 'What is pending is moved by authorisations.'
        throw invalid(`${at}/phase`, 'NOT_OF_THIS_TYPE', detail)
      }
      const { currency } = entry.amount
      const [code, of, ...rest] = entry.account.split('/')
      const isOwn = of !== undefined && rest.length === 0 && of === currency
      if (entry.account.includes('/') && !isOwn)
        throw noInternalAccount(entry.account, `${at}/account`)
      return {
        accountId: isOwn ? internalId(code!, currency, `${at}/account`) : entry.account,
        address: entry.address ?? defaultAddress,
        phase: 'committed',
        side: entry.side,
        amountMinor: minorOf(entry.amount, `${at}/amount`),
        currency,
      }
    })
  }
}

function minorOf({ amount, currency, isText }: AmountAsked, pointer: string): bigint {
  return parseAmount(amount, currency, isText ? pointer : `${pointer}/amount`)
}

const everywhere = new Set([
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
const oneAccount = ['amount', 'arrangementId', 'direction', 'internalAccountCode']

const membersOf: Readonly<Record<InstructionType, readonly string[]>> = {
  'inbound-hard-settlement': oneAccount,
  'outbound-hard-settlement': oneAccount,
  'inbound-authorisation': [...oneAccount, 'expiresAt'],
  'outbound-authorisation': [...oneAccount, 'expiresAt'],
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

function internalId(code: string, currency: string, pointer: string): string {
  if (controlAccounts.has(code)) {
    const detail = `${code} is a control account; its balance is kept by the area that owns the records.`
    const errors = [{ pointer, code: 'CONTROL_ACCOUNT_NOT_POSTABLE', detail }]
    throw new Problem('CONTROL_ACCOUNT_NOT_POSTABLE', { detail, errors })
  }
  if (isChartCode(code)) return internalAccountId(code, currency)
  throw noInternalAccount(code, pointer)
}

function noInternalAccount(code: string, pointer: string): Problem {
  const detail = `The bank has no account called "${code.slice(0, 64)}".`
  const errors = [{ pointer, code: 'INTERNAL_ACCOUNT_NOT_FOUND', detail }]
  return new Problem('INTERNAL_ACCOUNT_NOT_FOUND', { detail, errors })
}

function invalid(pointer: string, code: string, detail: string): Problem {
  const fault: Fault = { pointer, code, detail }
  return new Problem('VALIDATION_FAILED', { detail, errors: [fault] })
}
