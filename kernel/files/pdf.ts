import { join } from 'node:path'
import { dateOf } from '../domain/dates.ts'
import { projectRoot } from '../environment/root.ts'
import { Turns } from '../writing/turns.ts'
import { drawTable, drawText, type PdfPage, type PdfTable } from './pdf-table.ts'

/** A document of text and tables. */
export interface PdfReport {
  title: string
  /** What the document is about, as pairs of a label and a value. */
  facts: readonly (readonly [label: string, value: string])[]
  /** The text below the facts; absent if there is none. */
  paragraphs?: readonly string[]
  /** The language of the text as a BCP 47 tag; English if it is absent. */
  language?: string
  sections: readonly PdfSection[]
  /** When the document was created, which the bottom of each page says. */
  createdAt: Date
}

export interface PdfSection {
  heading: string
  table: PdfTable
  /** The paragraph below the table; absent if there is none. */
  note?: string
}

const fonts = join(projectRoot, 'node_modules', '@expo-google-fonts', 'noto-sans')
const margin = 50
const footerHeight = 30

/** The number of files that a process renders at the same time; each needs memory for its fonts. */
const maxConcurrent = 2
const turns = new Turns()
let lastQueue = 0

/**
 * Renders a report as a PDF/A-2a file, on pages of the size A4. The fonts are embedded. The content is
 * tagged in reading order for screen readers, with the headers of the columns of each table. At most two
 * files are rendered at a time. At its turn and between rows, `requireWanted` is called; what it
 * throws ends the rendering.
 */
export async function renderPdf(
  report: PdfReport,
  requireWanted: () => void = () => undefined,
): Promise<Buffer> {
  lastQueue = (lastQueue + 1) % maxConcurrent
  const turn = turns.take([String(lastQueue)], 'exclusive')
  try {
    await turn.ready
    requireWanted()
    return await draw(report, requireWanted)
  } finally {
    turn.end()
  }
}

async function draw(report: PdfReport, requireWanted: () => void): Promise<Buffer> {
  const { title, createdAt } = report
  // Loaded on first use: many processes never render a file, and the library takes 7 MB of the heap.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom: margin + footerHeight },
    pdfVersion: '1.7',
    subset: 'PDF/A-2a',
    tagged: true,
    lang: report.language ?? 'en',
    displayTitle: true,
    bufferPages: true,
    // The library would store a font that is given here under other names, and open it again for
    // each use of a registered name.
    font: '',
    info: { Title: title, Producer: 'bankgraph', Creator: 'bankgraph', CreationDate: createdAt },
  })
  const content = contentOf(doc)
  doc.registerFont('regular', join(fonts, '400Regular', 'NotoSans_400Regular.ttf'))
  doc.registerFont('bold', join(fonts, '600SemiBold', 'NotoSans_600SemiBold.ttf'))
  const root = doc.struct('Document')
  doc.addStructure(root)
  const page: PdfPage = { doc, root, left: margin, width: doc.page.width - 2 * margin }
  drawText(page, 'H1', title, { font: 'bold', size: 16 })
  for (const [label, value] of report.facts) drawText(page, 'P', `${label}: ${value}`)
  if (report.paragraphs) doc.moveDown(1)
  for (const paragraph of report.paragraphs ?? []) drawText(page, 'P', paragraph)
  for (const { heading, table, note } of report.sections) {
    doc.moveDown(1)
    drawText(page, 'H2', heading, { font: 'bold', size: 11 })
    await drawTable(page, table, requireWanted)
    if (note) drawText(page, 'P', note)
  }
  root.end()
  drawFooters(page, `Created on ${dateOf(createdAt)}. Days are in UTC.`)
  doc.end()
  return content
}

/** Collects the content of a document until its end. */
function contentOf(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

/** Writes the footer and the page number on each page. They are not part of the content. */
function drawFooters({ doc, left, width }: PdfPage, footer: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let index = start; index < start + count; index++) {
    doc.switchToPage(index)
    const top = doc.page.height - margin - footerHeight / 2
    // Without a bottom margin, text in the footer does not begin another page.
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination' })
    doc.font('regular').fontSize(8)
    doc.text(footer, left, top, { width: width - 80, lineBreak: false })
    doc.text(`Page ${index + 1} of ${count}`, left, top, { width, align: 'right' })
    doc.endMarkedContent()
  }
}
