import type { Context } from '../_kernel/context.ts'
import { moneyOut } from '../_kernel/graph/money.types.ts'
import type { BookedEntry } from '../_ledger/entries.ts'
import { readStatementLines } from '../_ledger/statement-lines.ts'
import { PartyNamesDocument } from './asks.generated.ts'
import {
  counterpartyOf,
  exchangeOf,
  textOfMovement,
  type CounterpartyReference,
} from './domain/counterparty.ts'
import type { AccountEntry } from './graph/balance.types.ts'
import { readAccountNumbers } from './store.ts'

/** What a statement says of an entry beside its figures. */
type Description = Pick<AccountEntry, 'remittanceInformation' | 'counterparty' | 'exchange'>

/** How many names are read at once. */
const maxNames = 200

/** The bank as a counterparty. */
const bankName = 'Bank'

/**
 * The text and the counterparty of each entry, for the holder of its account. The holder may know the
 * name and the number of whoever paid or was paid, whoever they are. Names that cannot be read now are null.
 */
export async function describeEntries(
  context: Context,
  entries: readonly BookedEntry[],
): Promise<Description[]> {
  const { pool } = context.bank
  const ids = [...new Set(entries.map(({ postingInstructionId }) => postingInstructionId))]
  const lines = await readStatementLines(pool, ids)
  const described = entries.map((entry) => {
    const line = lines.get(entry.postingInstructionId)!
    return { line, reference: counterpartyOf(entry, line), exchange: exchangeOf(entry, line) }
  })
  const references = described.map(({ reference }) => reference)
  const [names, numbers] = await Promise.all([
    readNames(context, idsIn(references, 'partyId')),
    readAccountNumbers(context, idsIn(references, 'accountId')),
  ])
  return described.map(({ line, reference, exchange }) => {
    const { kind, facilityId, partyId, accountId } = reference
    const ofCustomer = partyId === null ? null : (names.get(partyId) ?? null)
    const number = accountId === null ? null : (numbers.get(accountId) ?? null)
    return {
      remittanceInformation: textOfMovement(line),
      counterparty: {
        kind,
        name: kind === 'bank' ? bankName : (ofCustomer ?? reference.name),
        iban: number ?? reference.iban,
        facilityId,
      },
      exchange: exchange && { ...exchange, counterAmount: moneyOut(exchange.counterAmount) },
    }
  })
}

function idsIn(
  references: readonly CounterpartyReference[],
  member: 'partyId' | 'accountId',
): string[] {
  return [...new Set(references.flatMap((each) => each[member] ?? []))]
}

async function readNames(
  { bank }: Context,
  partyIds: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let at = 0; at < partyIds.length; at += maxNames) {
    const some = partyIds.slice(at, at + maxNames)
    try {
      const { partyContacts } = await bank.ask(PartyNamesDocument, { partyIds: some })
      for (const { partyId, displayName } of partyContacts!) names.set(partyId, displayName)
    } catch (error) {
      bank.log.warn({ error: (error as Error).message }, 'names of counterparties cannot be read')
    }
  }
  return names
}
