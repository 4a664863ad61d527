import { XMLBuilder } from 'fast-xml-parser'
import { csvOf } from '../../../kernel/domain/csv.ts'
import type { AccountEntry, AccountStatement, Counterparty } from '../model/balance.ts'

/** A statement with the texts that a file shows. */
export interface DescribedStatement extends Omit<AccountStatement, 'entries'> {
  /** The IBAN of the account. */
  accountNumber: string
  createdAt: Date
  entries: DescribedStatementEntry[]
}

export interface DescribedStatementEntry extends AccountEntry {
  remittanceInformation: string | null
  endToEndId: string | null
  counterparty: Pick<Counterparty, 'name' | 'iban'>
}

/** The columns of a statement in CSV. Their names and their order are a contract. */
const columns = [
  'booking_date',
  'value_date',
  'amount',
  'currency',
  'balance_after',
  'counterparty_name',
  'counterparty_iban',
  'remittance_information',
  'end_to_end_id',
  'posting_instruction_id',
  'entry_number',
] as const

/** Returns a statement as CSV, one line per entry. The amount of a debit is negative. */
export function statementAsCsv({ entries }: DescribedStatement): string {
  const rows = entries.map((entry) => ({
    booking_date: dayOf(entry.bookedAt),
    value_date: entry.valueDate,
    amount: entry.side === 'debit' ? `-${entry.amount}` : entry.amount,
    currency: entry.currency,
    balance_after: entry.balanceAfter,
    counterparty_name: entry.counterparty.name ?? '',
    counterparty_iban: entry.counterparty.iban ?? '',
    remittance_information: entry.remittanceInformation ?? '',
    end_to_end_id: entry.endToEndId ?? '',
    posting_instruction_id: entry.postingInstructionId,
    entry_number: String(entry.sequence),
  }))
  return csvOf(columns, rows)
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  format: true,
})
const maxNameLength = 140
const maxRemittanceLength = 140

/**
 * Returns a statement as an ISO 20022 message camt.053.001.08 (Bank to Customer Statement). The
 * order of the elements is that of the message definition. All texts fit its maximum lengths:
 * longer names are cut, and a longer remittance information is continued in a further element.
 */
export function statementAsCamt053(statement: DescribedStatement): string {
  const { accountNumber, createdAt, currency, from, to } = statement
  const createdAtText = createdAt.toISOString()
  const id = `${accountNumber.slice(-15)}-${compact(from)}-${compact(to)}`
  const credits = statement.entries.filter(({ side }) => side === 'credit')
  const debits = statement.entries.filter(({ side }) => side === 'debit')
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08',
      BkToCstmrStmt: {
        GrpHdr: { MsgId: id, CreDtTm: createdAtText },
        Stmt: {
          Id: id,
          CreDtTm: createdAtText,
          FrToDt: { FrDtTm: `${from}T00:00:00Z`, ToDtTm: `${to}T23:59:59.999Z` },
          Acct: { Id: { IBAN: accountNumber }, Ccy: currency },
          Bal: [
            balance('OPBD', statement.openingBalance, currency, from),
            balance('CLBD', statement.closingBalance, currency, to),
          ],
          TxsSummry: {
            TtlCdtNtries: { NbOfNtries: credits.length, Sum: statement.totalCredits },
            TtlDbtNtries: { NbOfNtries: debits.length, Sum: statement.totalDebits },
          },
          Ntry: statement.entries.map((entry) => entryElement(entry, accountNumber)),
        },
      },
    },
  })
}

function balance(code: string, amount: string, currency: string, day: string) {
  return {
    Tp: { CdOrPrtry: { Cd: code } },
    Amt: { '@Ccy': currency, '#': amount.replace('-', '') },
    CdtDbtInd: amount.startsWith('-') ? 'DBIT' : 'CRDT',
    Dt: { Dt: day },
  }
}

function entryElement(entry: DescribedStatementEntry, accountNumber: string) {
  const amount = { '@Ccy': entry.currency, '#': entry.amount }
  const indicator = entry.side === 'debit' ? 'DBIT' : 'CRDT'
  const { name, iban } = entry.counterparty
  const party = name === null ? undefined : { Pty: { Nm: printable(name).slice(0, maxNameLength) } }
  const account = iban === null ? undefined : { Id: { IBAN: iban } }
  const own = { Id: { IBAN: accountNumber } }
  return {
    NtryRef: String(entry.sequence),
    Amt: amount,
    CdtDbtInd: indicator,
    Sts: { Cd: 'BOOK' },
    BookgDt: { Dt: dayOf(entry.bookedAt) },
    ValDt: { Dt: entry.valueDate },
    AcctSvcrRef: entry.postingInstructionId,
    BkTxCd: { Domn: { Cd: 'PMNT', Fmly: { Cd: 'NTAV', SubFmlyCd: 'NTAV' } } },
    NtryDtls: {
      TxDtls: {
        Refs: {
          AcctSvcrRef: entry.postingInstructionId,
          EndToEndId: printable(entry.endToEndId ?? 'NOTPROVIDED'),
        },
        Amt: amount,
        CdtDbtInd: indicator,
        RltdPties:
          entry.side === 'debit'
            ? { DbtrAcct: own, Cdtr: party, CdtrAcct: account }
            : { Dbtr: party, DbtrAcct: account, CdtrAcct: own },
        RmtInf: entry.remittanceInformation
          ? { Ustrd: partsOf(printable(entry.remittanceInformation)) }
          : undefined,
      },
    },
  }
}

/** Replaces the control characters that XML 1.0 does not allow, and line breaks, with spaces. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
}

/** Divides a text into parts of at most 140 characters. */
function partsOf(text: string): string[] {
  const characters = Array.from(text)
  const count = Math.ceil(characters.length / maxRemittanceLength)
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * maxRemittanceLength, (index + 1) * maxRemittanceLength).join(''),
  )
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const compact = (day: string): string => day.replaceAll('-', '')
