import { childPointer } from '../../_kernel/domain/problem-members.ts'
import type { Instruction, Violation } from '../../_ledger/domain/instruction.ts'

/**
 * The JSON pointer of the member of an instruction that a violation is about; `at` is the pointer of
 * the instruction. `ordinal` counts the violations of the same code before it: the ledger reports
 * invalid amounts in the order of the request.
 */
export function violationPointer(
  instruction: Instruction,
  violation: Violation,
  ordinal: number,
  at: string,
): string {
  const member = memberOf(instruction, violation, ordinal)
  return member.reduce<string>(childPointer, at)
}

type Member = (string | number)[]

function memberOf(instruction: Instruction, violation: Violation, ordinal: number): Member {
  const { code, accountId } = violation
  if (code === 'VALUE_DATE_OUT_OF_WINDOW') return ['valueDate']
  if (code === 'INVALID_AMOUNT') return invalidAmounts(instruction)[ordinal] ?? ['amount', 'amount']
  if (instruction.type === 'reversal') return ['reversesId']
  if (code === 'SETTLEMENT_EXCEEDS_AUTHORISATION') return ['amount', 'amount']
  if (instruction.type === 'transfer' && code === 'SAME_ACCOUNT') return ['creditorArrangementId']
  if (code === 'UNBALANCED_ENTRIES') {
    return instruction.type === 'custom' ? ['entries'] : ['creditorAmount', 'amount']
  }
  const account = accountId === undefined ? null : accountMember(instruction, accountId)
  if (code === 'INSUFFICIENT_FUNDS' || code === 'LIMIT_EXCEEDED') return amountBeside(account)
  if (code === 'CURRENCY_MISMATCH') return [...amountBeside(account).slice(0, -1), 'currency']
  return account ?? ['clientTransactionId']
}

function accountMember(instruction: Instruction, accountId: string): Member | null {
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

/** The amount that moves on the account a member names. */
function amountBeside(account: Member | null): Member {
  if (account?.[0] === 'entries') return [...account.slice(0, 2), 'amount', 'amount']
  return ['amount', 'amount']
}

function invalidAmounts(instruction: Instruction): Member[] {
  const isSigned = instruction.type === 'authorisation-adjustment'
  const isInvalid = (minor: bigint) => (isSigned ? minor === 0n : minor <= 0n)
  const found: Member[] = []
  if ('money' in instruction && instruction.money && isInvalid(instruction.money.amountMinor)) {
    found.push(['amount', 'amount'])
  }
  if (instruction.type === 'transfer' && instruction.creditorMoney) {
    if (isInvalid(instruction.creditorMoney.amountMinor)) found.push(['creditorAmount', 'amount'])
  }
  if (instruction.type === 'custom') {
    instruction.legs.forEach((leg, index) => {
      if (isInvalid(leg.amountMinor)) found.push(['entries', index, 'amount', 'amount'])
    })
  }
  return found
}
