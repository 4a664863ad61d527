import { csvOf } from '../../../kernel/domain/csv.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { amountColumns, amountTable, type AmountLine } from '../../../kernel/files/amount-lines.ts'
import { renderPdfForCaller } from '../../../kernel/files/pdf-for-caller.ts'
import type { PdfReport } from '../../../kernel/files/pdf.ts'
import {
  documentFile,
  type DocumentFile,
  type DocumentFormat,
} from '../../../kernel/graph/document-file.types.ts'
import type { AccountCertificate } from '../domain/certificate.ts'
import { AccountHolderNameDocument } from '../queries.generated.ts'

/**
 * Renders a certificate of an account in a file format. Throws LIMIT_EXCEEDED for the eleventh PDF file of
 * a request, and TIMEOUT if the caller no longer waits.
 */
export async function certificateFile(
  context: Context,
  certificate: AccountCertificate,
  format: DocumentFormat,
): Promise<DocumentFile> {
  const { position, year } = certificate
  const name = `${position.arrangementId}-${year}`
  if (format === 'csv') return documentFile(name, format, certificateAsCsv(certificate))
  const content = await renderPdfForCaller(context, async () => {
    const holder = await readHolderName(context, position.partyId)
    return certificateReport(certificate, holder, context.now())
  })
  return documentFile(name, format, content)
}

/** Reads the name of an account holder; null if the party does not exist. */
async function readHolderName({ bank }: Context, partyId: string): Promise<string | null> {
  const { partyContacts } = await bank.queryGraph(AccountHolderNameDocument, { partyId })
  return partyContacts![0]?.displayName ?? null
}

function linesOf(certificate: AccountCertificate): AmountLine[] {
  const { grossMinor, taxMinor, overdraftMinor, balanceMinor } = certificate
  return [
    ['interest_credited', 'Interest before tax', grossMinor],
    ['tax_withheld', 'Tax withheld', taxMinor],
    ['interest_after_tax', 'Interest after tax', grossMinor - taxMinor],
    ['overdraft_interest_charged', 'Interest charged for overdrafts', overdraftMinor],
    ['closing_balance', 'Balance at the end of the year', balanceMinor],
  ]
}

/** Returns a certificate as CSV with one line. */
export function certificateAsCsv(certificate: AccountCertificate): string {
  const { position, year, isFinal } = certificate
  const { arrangementId, currency } = position
  const row = {
    arrangement_id: arrangementId,
    year: String(year),
    currency,
    ...amountColumns(linesOf(certificate), currency),
    is_final: String(isFinal),
  }
  return csvOf(Object.keys(row), [row])
}

/** Returns a certificate as a report. It says that it is provisional while its figures can change. */
export function certificateReport(
  certificate: AccountCertificate,
  holderName: string | null,
  createdAt: Date,
): PdfReport {
  const { position, year, isFinal } = certificate
  const { arrangementId, currency } = position
  const table = amountTable(linesOf(certificate), currency)
  const status = isFinal ? 'Final' : 'Provisional: later postings can change the figures.'
  const holder = holderName === null ? [] : [['Account holder', holderName] as const]
  return {
    title: `Certificate of interest for ${year}`,
    facts: [...holder, ['Account', arrangementId], ['Currency', currency], ['Status', status]],
    sections: [{ heading: `Interest and tax in ${year}`, table }],
    createdAt,
  }
}
