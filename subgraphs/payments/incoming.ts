import { fingerprint } from '../_kernel/answer.ts'
import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { isSimulating } from '../_kernel/other-banks.ts'
import { versioned } from '../_kernel/records.ts'
import { bookAsBank, created, narrativeOf } from './booking.ts'
import { requireBooked } from '../_ledger/book.ts'
import { incomingOf, type AccountFact, type IncomingAsked } from './domain/order.ts'
import { arrival } from './domain/sct.ts'
import { accountNumber } from './transfers.ts'

/**
 * Lets a payment come in as if another bank had sent it: to the nostro, and to the account.
 * Refuses with NOT_FOR_DELEGATED_USERS, SIMULATION_NOT_AVAILABLE outside the sandbox, as
 * `incomingOf`, and with the code of what the books do not allow.
 */
export function receivePayment(context: Context, asked: IncomingAsked) {
  return command(context, 'simulateIncomingPayment', asked, async () => {
    requireBank(context)
    if (!isSimulating(context.bank)) throw new Problem('SIMULATION_NOT_AVAILABLE')
    const [creditor] = await readFacts(context, [accountNumber(asked.creditorIban)])
    const now = context.now()
    const id = context.newId('payment')
    const contentHash = fingerprint('simulateIncomingPayment', asked)
    const head = { paymentId: id, ...versioned({ id, contentHash, now }) }
    const payment = incomingOf(asked, creditor as AccountFact | null, head)
    const to = payment.creditorArrangementId!
    const booked = await bookAsBank(
      context,
      arrival(payment, to, dateOf(now), now),
      narrativeOf(payment),
    )
    requireBooked(booked)
    const { writes, events } = created(payment)
    return {
      result: payment,
      resourceId: id,
      isKeyKept: true,
      writes: [...writes, ...booked.writes],
      events: [...events, ...booked.events],
    }
  })
}
