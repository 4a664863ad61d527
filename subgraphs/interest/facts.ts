import { isExposed } from './domain/exposure.ts'
import type { InterestPosition } from './domain/position.ts'
import { isRunning } from './domain/term-deposit.ts'
import type { TermDeposit } from './model/term-deposit.ts'

/**
 * Returns the published fact of the latest term deposit of an account. While the deposit runs, the
 * accounts area blocks the account and does not close it or its settlement account.
 */
export function termDepositFact(deposit: TermDeposit) {
  const { termDepositId, arrangementId, settlementArrangementId, state } = deposit
  const lifecycle = isRunning(deposit) ? 'open' : 'ended'
  const data = { termDepositId, arrangementId, settlementArrangementId, state, lifecycle }
  return { subject: `term-deposit/${arrangementId}`, data }
}

/**
 * Returns the published fact of whether the bank is exposed to an account by an overdraft. When it no
 * longer is, the provisioning area releases the loss allowance.
 */
export function exposureFact(position: InterestPosition) {
  const { arrangementId } = position
  const state = isExposed(position) ? 'exposed' : 'none'
  return { subject: `overdraft-exposure/${arrangementId}`, data: { arrangementId, state } }
}
