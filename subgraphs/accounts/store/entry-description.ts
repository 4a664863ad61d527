import type { Counterparty, EntryExchange } from '../model/balance.ts'
import {
  type CounterpartyReference,
  counterpartyOf,
  exchangeOf,
  textOfMovement,
} from '../domain/counterparty.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { BookedEntry } from '../../../ledger/entries.ts'
import { readStatementLines } from '../../../ledger/statement-lines.ts'
import { PartyNamesDocument } from '../queries.generated.ts'
import { readAccountNumbers } from './arrangement.ts'

/**
 * The remittance information, the counterparty and the currency exchange of an entry, as a
 * statement shows them.
 */
interface Description {
  remittanceInformation: string | null
  /** The reference that the payer gave to the payment; null if there is none. */
  endToEndId: string | null
  counterparty: Counterparty
  exchange: EntryExchange | null
}

/** The parts of an entry from which it is described. */
export type DescribableEntry = Pick<
  BookedEntry,
  'postingInstructionId' | 'accountId' | 'side' | 'currency'
>

/** The maximum number of names that one query reads. */
const maxNames = 200

/** The name shown if the bank is the counterparty. */
const bankName = 'Bank'

/** Loads the description of an entry, batched with the other entries of the page. */
export const loadDescription = loader<DescribableEntry, Description>(describeEntries)

/**
 * Returns the description of each entry. The names and account numbers of payers and payees are
 * included, because the account holder may know them. A name that cannot be read at the moment is
 * null.
 */
async function describeEntries(
  context: Context,
  entries: readonly DescribableEntry[],
): Promise<Description[]> {
  const { pool } = context.bank
  const ids = [...new Set(entries.map(({ postingInstructionId }) => postingInstructionId))]
  const lines = await readStatementLines(pool, ids)
  const descriptions = entries.map((entry) => {
    const line = lines.get(entry.postingInstructionId)!
    return { line, reference: counterpartyOf(entry, line), exchange: exchangeOf(entry, line) }
  })
  const references = descriptions.map(({ reference }) => reference)
  const [names, numbers] = await Promise.all([
    readNames(context, idsIn(references, 'partyId')),
    readAccountNumbers(context, idsIn(references, 'accountId')),
  ])
  return descriptions.map(({ line, reference, exchange }) => {
    const { kind, facilityId, partyId, accountId } = reference
    const customerName = partyId === null ? null : (names.get(partyId) ?? null)
    const accountNumber = accountId === null ? null : (numbers.get(accountId) ?? null)
    return {
      remittanceInformation: textOfMovement(line),
      endToEndId: line.narrative.endToEndId ?? line.original?.endToEndId ?? null,
      counterparty: {
        kind,
        name: kind === 'bank' ? bankName : (customerName ?? reference.name),
        iban: accountNumber ?? reference.iban,
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
  for (let offset = 0; offset < partyIds.length; offset += maxNames) {
    const batch = partyIds.slice(offset, offset + maxNames)
    try {
      const { partyContacts } = await bank.queryGraph(PartyNamesDocument, { partyIds: batch })
      for (const { partyId, displayName } of partyContacts!) names.set(partyId, displayName)
    } catch (error) {
      bank.log.warn({ error: (error as Error).message }, 'names of counterparties cannot be read')
    }
  }
  return names
}
