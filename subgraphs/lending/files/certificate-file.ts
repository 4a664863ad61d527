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
import type { Certificate } from '../domain/statements/certificate.ts'
import { totalDebtMinor } from '../domain/statements/debt.ts'
import { factsOf, readBorrowerName } from './borrower.ts'

/**
 * Renders a certificate of a facility in a file format. Throws LIMIT_EXCEEDED for the eleventh PDF file of
 * a request, and TIMEOUT if the caller no longer waits.
 */
export async function certificateFile(
  context: Context,
  certificate: Certificate,
  format: DocumentFormat,
): Promise<DocumentFile> {
  const { facility, year } = certificate
  const name = `${facility.facilityId}-${year}`
  if (format === 'csv') return documentFile(name, format, certificateAsCsv(certificate))
  const content = await renderPdfForCaller(context, async () => {
    const borrower = await readBorrowerName(context, facility)
    return certificateReport(certificate, borrower, context.now())
  })
  return documentFile(name, format, content)
}

function linesOf({ paid, closing, ...certificate }: Certificate): AmountLine[] {
  return [
    ['interest_paid', 'Interest paid', paid.interestMinor],
    ['late_fees_paid', 'Late fees paid', paid.lateFeesMinor],
    ['default_interest_paid', 'Default interest paid', paid.defaultInterestMinor],
    ['fees_paid', 'Upfront fees and prepayment fees paid', certificate.feesPaidMinor],
    ['principal_repaid', 'Principal repaid', paid.principalMinor],
    ['recovered', 'Recovered after a charge-off', certificate.recoveredMinor],
    ['closing_principal', 'Principal owed at the end of the year', closing.principalMinor],
    ['closing_interest', 'Accrued interest at the end of the year', closing.interestMinor],
    [
      'closing_late_charges',
      'Late charges owed at the end of the year',
      closing.lateFeesMinor + closing.defaultInterestMinor,
    ],
    ['closing_charged_off', 'Charged off and not recovered', closing.chargedOffMinor],
    ['closing_total', 'Total owed at the end of the year', totalDebtMinor(closing)],
  ]
}

/** Returns a certificate as CSV with one line. */
export function certificateAsCsv(certificate: Certificate): string {
  const { facility, year, isFinal } = certificate
  const { facilityId, currency } = facility
  const row = {
    facility_id: facilityId,
    year: String(year),
    currency,
    ...amountColumns(linesOf(certificate), currency),
    is_final: String(isFinal),
  }
  return csvOf(Object.keys(row), [row])
}

/** Returns a certificate as a report. It says that it is provisional while its figures can change. */
export function certificateReport(
  certificate: Certificate,
  borrowerName: string | null,
  createdAt: Date,
): PdfReport {
  const { facility, year, isFinal } = certificate
  const amounts = amountTable(linesOf(certificate), facility.currency)
  const table = { ...amounts, boldRows: [amounts.rows.length - 1] }
  const status = isFinal ? 'Final' : 'Provisional: later payments can change the figures.'
  return {
    title: `Certificate of interest for ${year}`,
    facts: [...factsOf(facility, borrowerName), ['Status', status]],
    sections: [{ heading: `Payments in ${year}, by payment date`, table }],
    createdAt,
  }
}
