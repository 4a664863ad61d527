import { childPointer } from '../../../kernel/domain/problem-members.ts'
import type { Instruction, Violation } from '../../../ledger/domain/instruction.ts'

/**
 * Returns the JSON pointer of the field that caused a violation. `basePointer` is the pointer of
 * the instruction. `ordinal` is the number of earlier violations with the same code. It identifies
 * an invalid amount, because the ledger reports invalid amounts in the order of the request.
 */
export function violationPointer(
  instruction: Instruction,
  violation: Violation,
  ordinal: number,
  basePointer: string,
): string {
  const path = pathOf(instruction, violation, ordinal)
  return path.reduce<string>(childPointer, basePointer)
}

type FieldPath = (string | number)[]

function pathOf(instruction: Instruction, violation: Violation, ordinal: number): FieldPath {
  const { code, accountId } = violation
  if (code === 'VALUE_DATE_OUT_OF_WINDOW') return ['valueDate']
  if (code === 'INVALID_AMOUNT') return invalidAmounts(instruction)[ordinal] ?? ['amount', 'amount']
  if (instruction.type === 'reversal') return ['reversesId']
  if (code === 'SETTLEMENT_EXCEEDS_AUTHORISATION') return ['amount', 'amount']
  if (instruction.type === 'transfer' && code === 'SAME_ACCOUNT') return ['creditorArrangementId']
  if (code === 'UNBALANCED_ENTRIES') {
    return instruction.type === 'custom' ? ['entries'] : ['creditorAmount', 'amount']
  }
  if (code === 'LIMIT_EXCEEDED' && accountId === undefined && instruction.type === 'custom') {
    return ['entries']
  }
  const account = accountId === undefined ? null : accountPath(instruction, accountId)
  if (code === 'INSUFFICIENT_FUNDS' || code === 'LIMIT_EXCEEDED') return amountPathFor(account)
  if (code === 'CURRENCY_MISMATCH') return [...amountPathFor(account).slice(0, -1), 'currency']
  return account ?? ['clientTransactionId']
}

function accountPath(instruction: Instruction, accountId: string): FieldPath | null {
  switch (instruction.type) {
    case 'transfer':
      if (accountId === instruction.debtorId) return ['debtorArrangementId']
      return accountId === instruction.creditorId ? ['creditorArrangementId'] : ['creditorAmount']
    case 'custom': {
      const index = instruction.legs.findIndex((leg) => leg.accountId === accountId)
      return ['entries', Math.max(index, 0), 'account']
    }
    case 'inbound-hard-settlement':
    case 'outbound-hard-settlement':
    case 'inbound-authorisation':
    case 'outbound-authorisation':
      return accountId === instruction.contraId ? ['internalAccountCode'] : ['arrangementId']
    default:
      return null
  }
}

/** Returns the path of the amount that belongs to an account field. */
function amountPathFor(account: FieldPath | null): FieldPath {
  if (account?.[0] === 'entries') return [...account.slice(0, 2), 'amount', 'amount']
  return ['amount', 'amount']
}

function invalidAmounts(instruction: Instruction): FieldPath[] {
  const isSigned = instruction.type === 'authorisation-adjustment'
  const isInvalid = (minor: bigint) => (isSigned ? minor === 0n : minor <= 0n)
  const paths: FieldPath[] = []
  if ('money' in instruction && instruction.money && isInvalid(instruction.money.amountMinor)) {
    paths.push(['amount', 'amount'])
  }
  if (instruction.type === 'transfer' && instruction.creditorMoney) {
    if (isInvalid(instruction.creditorMoney.amountMinor)) paths.push(['creditorAmount', 'amount'])
  }
  if (instruction.type === 'custom') {
    instruction.legs.forEach((leg, index) => {
      if (isInvalid(leg.amountMinor)) paths.push(['entries', index, 'amount', 'amount'])
    })
  }
  return paths
}
