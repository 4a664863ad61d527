import type { IncomingRequest } from '../model/payment-inputs.ts'
import { fingerprint } from '../../../kernel/writing/answer.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { isSimulating } from '../../../kernel/environment/other-banks.ts'
import { versioned } from '../../../kernel/writing/records.ts'
import { bookAsBank, creationOf, narrativeOf, sharedEvents } from './booking.ts'
import { requireBooked } from '../../../ledger/book.ts'
import { incomingOf, type AccountFact } from '../domain/order.ts'
import { incomingPostings } from '../domain/rail-batch.ts'
import { railOf, rails } from '../rails/registry.ts'
import { accountNumberSubject } from './transfer.ts'

/**
 * Simulates an incoming payment and books it to the nostro and to the creditor account. Throws
 * NOT_FOR_DELEGATED_USERS, SIMULATION_NOT_AVAILABLE outside the sandbox, whatever `incomingOf`
 * throws, and the code with which the ledger rejects the posting.
 */
export function receivePayment(context: Context, request: IncomingRequest) {
  return command(context, 'simulateIncomingPayment', request, async () => {
    requireBank(context)
    if (!isSimulating(context.bank)) throw new Problem('SIMULATION_NOT_AVAILABLE')
    const [creditor] = await readFacts(context, [accountNumberSubject(request.creditorIban)])
    const now = context.now()
    const id = context.newId('payment')
    const contentHash = fingerprint('simulateIncomingPayment', request)
    const identity = { paymentId: id, ...versioned({ id, contentHash, now }) }
    const payment = incomingOf(request, creditor as AccountFact | null, identity, rails)
    const creditorId = payment.creditorArrangementId!
    const booking = await bookAsBank(
      context,
      incomingPostings(railOf(payment.rail), payment, creditorId, dateOf(now), now),
      narrativeOf(payment),
    )
    requireBooked(booking)
    const { writes, events } = creationOf(payment)
    return {
      result: payment,
      resourceId: id,
      retainsKey: true,
      writes: [...writes, ...booking.writes],
      events: [...(await sharedEvents(context, payment, events)), ...booking.events],
    }
  })
}
