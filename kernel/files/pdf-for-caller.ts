import { Problem } from '../domain/problem.ts'
import { requireCallerWaits, type Context } from '../environment/context.ts'
import type { Envelope } from '../environment/envelope.ts'
import { renderPdf, type PdfReport } from './pdf.ts'

/** The maximum number of PDF files in one request. */
const maxFiles = 10

/** The number of files of each request. Copies of a context share the envelope. */
const fileCounts = new WeakMap<Envelope, number>()

/**
 * Renders a PDF file for a request. The report is only read if the request may have the file. Throws
 * LIMIT_EXCEEDED for the eleventh file of a request, and TIMEOUT if the caller no longer waits.
 */
export async function renderPdfForCaller(
  context: Context,
  readReport: () => Promise<PdfReport>,
): Promise<Buffer> {
  const count = (fileCounts.get(context.envelope) ?? 0) + 1
  fileCounts.set(context.envelope, count)
  if (count > maxFiles) {
    const detail = `A request can have at most ${maxFiles} PDF files. Send several requests.`
    throw new Problem('LIMIT_EXCEEDED', { detail })
  }
  return renderPdf(await readReport(), () => requireCallerWaits(context))
}
