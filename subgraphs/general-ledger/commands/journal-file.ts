import { createHash } from 'node:crypto'
import type { TokenHolder } from '../../../kernel/authorization/revocations.ts'
import { addMs, minuteMs } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { decryptPageToken, encryptPageToken } from '../../../kernel/graph/page-token.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import {
  journalFileNames,
  JournalTotals,
  type CurrencyTotals,
  type JournalRow,
} from '../domain/journal-file.ts'
import { firstDayOf, lastDayOf, requirePeriodId } from '../domain/period.ts'
import { Problem } from '../domain/problems.ts'
import { encodeJournal } from '../files/journal-file.ts'
import type { JournalFile, JournalFileFormat, JournalTotal } from '../model/journal-file.ts'
import { unmapped } from '../domain/reports.ts'
import { readChart } from '../store/account.ts'
import { readJournalExtent, readJournalPage } from '../store/journal-file.ts'
import { readMapping } from '../store/mapping-rule.ts'
import type { AccountEntry } from './entries.ts'
import { entryTexts } from './export.ts'

/** The HTTP path of journal files. */
export const journalFilesPath = '/journal-files'

const binding = 'general-ledger journal file'
const readableMs = 5 * minuteMs
const postingsPerPage = 2000

/** What a signed URL permits to read. */
interface JournalRequest {
  accountingPeriodId: string
  format: JournalFileFormat
  throughPosition: bigint
  isManifest: boolean
  /** The token with which the URL was requested; null for a URL from a process of the former release. */
  holder: TokenHolder | null
}

type Journal = Pick<JournalRequest, 'accountingPeriodId' | 'format' | 'throughPosition'>

/**
 * Returns the URLs of the journal file of a period, which are valid for five minutes and
 * until the token of the caller is revoked, and its totals. Throws VALIDATION_FAILED.
 */
export async function requestJournalFile(
  context: Context,
  accountingPeriodId: string,
  format: JournalFileFormat,
): Promise<JournalFile> {
  requirePeriodId(accountingPeriodId)
  const { bank } = context
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const { throughPosition, totals } = await readJournalExtent(bank, from, to)
  const expiresAt = addMs(context.now(), readableMs)
  const urlOf = (use: 'file' | 'manifest') => {
    const parts = [
      use,
      accountingPeriodId,
      format,
      throughPosition.toString(),
      String(expiresAt.getTime()),
      holderText(context.caller),
    ]
    const token = encryptPageToken(bank.pageKeys, binding, parts, context.now().getTime())
    return `${bank.issuer}${journalFilesPath}?token=${encodeURIComponent(token)}`
  }
  return {
    accountingPeriodId,
    ...journalFileNames(accountingPeriodId, format),
    url: urlOf('file'),
    manifestUrl: urlOf('manifest'),
    expiresAt,
    throughPosition,
    totals: totals.map(totalOut),
  }
}

/** Returns what a signed URL permits. Throws JOURNAL_FILE_NOT_FOUND and JOURNAL_FILE_EXPIRED. */
export function openJournalFile(bank: Bank, token: unknown): JournalRequest {
  const nowMs = bank.now().getTime()
  const [use, accountingPeriodId, format, position, untilMs, text] = partsOf(bank, token, nowMs)
  if (Number(untilMs) <= nowMs) throw new Problem('JOURNAL_FILE_EXPIRED')
  const holder = text === undefined ? null : holderFrom(text)
  if (holder && bank.revocations.isRevoked(holder)) {
    const detail = 'The token with which the link was requested was revoked. Log in again.'
    throw new Problem('JOURNAL_FILE_EXPIRED', { detail })
  }
  return {
    accountingPeriodId: accountingPeriodId!,
    format: format as JournalFileFormat,
    throughPosition: BigInt(position!),
    isManifest: use === 'manifest',
    holder,
  }
}

/** A page token is short, so that the names of the members are left out. */
const holderText = ({ clientId, subject, grantId, sessionId, tokenId, issuedAt }: TokenHolder) =>
  JSON.stringify([clientId, subject, grantId, sessionId, tokenId, issuedAt])

function holderFrom(text: string): TokenHolder {
  const [clientId, subject, grantId, sessionId, tokenId, issuedAt] = JSON.parse(text)
  return { clientId, subject, grantId, sessionId, tokenId, issuedAt }
}

function partsOf(bank: Bank, token: unknown, nowMs: number): string[] {
  try {
    return decryptPageToken(bank.pageKeys, binding, String(token), nowMs)
  } catch (cause) {
    throw new Problem('JOURNAL_FILE_NOT_FOUND', { cause })
  }
}

/** Returns a journal file in chunks. It is read while it is taken; no more than a page is in memory. */
export function streamJournal(
  bank: Bank,
  request: Journal,
  totals = new JournalTotals(),
): AsyncGenerator<Buffer> {
  return encodeJournal(request.format, readPages(bank, request, totals))
}

/** The manifest of a journal file. */
export interface JournalManifest {
  accountingPeriodId: string
  fileName: string
  mediaType: string
  throughPosition: string
  rowCount: number
  sizeBytes: number
  sha256: string
  totals: JournalTotal[]
}

/**
 * Reads a journal file and returns its size, its hash, and the totals of its rows. Rejects before the
 * next page if `signal` is aborted.
 */
export async function readJournalManifest(
  bank: Bank,
  request: Journal,
  signal?: AbortSignal,
): Promise<JournalManifest> {
  const totals = new JournalTotals()
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of streamJournal(bank, request, totals)) {
    signal?.throwIfAborted()
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return {
    accountingPeriodId: request.accountingPeriodId,
    ...journalFileNames(request.accountingPeriodId, request.format),
    throughPosition: request.throughPosition.toString(),
    rowCount: totals.rowCount,
    sizeBytes,
    sha256: hash.digest('hex'),
    totals: totals.currencies.map(totalOut),
  }
}

async function* readPages(
  bank: Bank,
  { accountingPeriodId, throughPosition }: Journal,
  totals: JournalTotals,
): AsyncGenerator<JournalRow[]> {
  const context = bankContext(bank)
  const [from, to] = [firstDayOf(accountingPeriodId), lastDayOf(accountingPeriodId)]
  const [chart, mapping] = await Promise.all([readChart(context), readMapping(context)])
  let after = { accountingDate: from, position: 0n }
  for (;;) {
    const entries = await readJournalPage(bank, { to, throughPosition, after }, postingsPerPage)
    // A dated posting has entries, so that an empty page is the end.
    if (entries.length === 0) return
    const rows = entries.map((entry) => {
      const accountNumber = mapping.accountOf(entry, from) ?? unmapped
      const accountName = chart.get(accountNumber)?.name ?? accountNumber
      return rowOf({ ...entry, accountNumber, accountName })
    })
    for (const row of rows) totals.add(row)
    after = entries.at(-1)!
    yield rows
  }
}

function rowOf(entry: AccountEntry): JournalRow {
  const { bookedAt, ordinal, position } = entry
  const amountMinor = entry.side === 'debit' ? entry.amountMinor : -entry.amountMinor
  const texts = {
    ...entryTexts(entry),
    amount_minor: amountMinor.toString(),
    event_position: position.toString(),
    product_id: entry.attribution.productId,
    segment: entry.attribution.segment,
  }
  return { texts, bookedAt, ordinal, amountMinor, position }
}

function totalOut({ currency, debitMinor, creditMinor }: CurrencyTotals): JournalTotal {
  return {
    currency,
    debit: formatAmount(debitMinor, currency),
    credit: formatAmount(creditMinor, currency),
  }
}
