import { requireCallerWaits, type Context } from '../environment/context.ts'
import { requestLimit } from '../environment/request-limit.ts'
import { renderPdf, type PdfReport } from './pdf.ts'

const countFile = requestLimit(10, 'PDF files')

/**
 * Renders a PDF file for a request. The report is only read if the request may have the file. Throws
 * LIMIT_EXCEEDED for the eleventh file of a request, and TIMEOUT if the caller no longer waits.
 */
export async function renderPdfForCaller(
  context: Context,
  readReport: () => Promise<PdfReport>,
): Promise<Buffer> {
  countFile(context)
  return renderPdf(await readReport(), () => requireCallerWaits(context))
}
