import { setImmediate } from 'node:timers/promises'
import { shortened } from '../domain/text-length.ts'
import { fittingText } from './pdf-text.ts'

/** A table of a document, with one text for each column in a row. */
export interface PdfTable {
  columns: readonly PdfColumn[]
  rows: readonly (readonly string[])[]
  /** The indexes of the rows in bold letters, such as those of totals. */
  boldRows?: readonly number[]
}

export interface PdfColumn {
  title: string
  /** The share of the width of the page; those of all columns add up to 1. */
  share: number
  /** Whether the column has numbers, which are aligned to the right and never wrapped. Long ones are smaller. */
  isNumber?: boolean
}

/** A document with the place in which its text is written. */
export interface PdfPage {
  doc: PDFKit.PDFDocument
  root: PDFKit.PDFStructureElement
  left: number
  width: number
}

type Font = 'regular' | 'bold'

const cellPadding = 3
const size = 8
/** The height of a line of text, as a multiple of the font size. */
const lineHeight = 1.362

/** Writes a paragraph or a heading below what was written last. */
export function drawText(
  { doc, root, left, width }: PdfPage,
  tag: 'H1' | 'H2' | 'P',
  text: string,
  { font = 'regular' as Font, size: fontSize = 9 } = {},
): void {
  doc.font(font).fontSize(fontSize)
  const draw = () => doc.text(fittingText(doc, text, width), left, doc.y, { width })
  root.add(doc.struct(tag, {}, draw))
  doc.moveDown(0.3)
}

/** How many rows are written, and for how long, before other work of the process has its turn. */
const rowsInTurn = 25
const turnMs = 20
/** The longest text of a cell. Longer ones would not fit on a page, nor would one of many short lines. */
const maxCellCharacters = 500

/**
 * Writes a table. It continues on further pages, each of which begins with the titles of the columns.
 * Texts of more than 500 characters are cut off.
 * `requireWanted` is called between rows; what it throws ends the table.
 */
export async function drawTable(
  page: PdfPage,
  table: PdfTable,
  requireWanted: () => void,
): Promise<void> {
  const { doc, root } = page
  const titles = table.columns.map(({ title }) => title)
  const element = doc.struct('Table')
  root.add(element)
  drawRow(page, rowOf(page, table, titles, 'bold'), element, 'TH')
  let turnEndsAt = performance.now() + turnMs
  for (const [index, texts] of table.rows.entries()) {
    const row = rowOf(page, table, texts, table.boldRows?.includes(index) ? 'bold' : 'regular')
    if (doc.y + row.height > doc.page.height - doc.page.margins.bottom) {
      doc.addPage()
      drawRow(page, rowOf(page, table, titles, 'bold'), null, 'TH')
      doc.font(row.font)
    }
    drawRow(page, row, element, 'TD')
    if (performance.now() < turnEndsAt && index % rowsInTurn !== rowsInTurn - 1) continue
    await setImmediate()
    requireWanted()
    turnEndsAt = performance.now() + turnMs
  }
  element.end()
  doc.moveDown(0.5)
}

/** A row with the place of each of its cells. */
interface Row {
  font: Font
  height: number
  cells: readonly { text: string; left: number; width: number; isNumber: boolean }[]
}

/** Measures a row. */
function rowOf(
  { doc, left, width }: PdfPage,
  { columns }: PdfTable,
  texts: readonly string[],
  font: Font,
): Row {
  doc.font(font).fontSize(size)
  let start = left
  let height = size * lineHeight
  const cells = columns.map(({ share, isNumber = false }, index) => {
    const cellWidth = share * width - 6
    const shortText = shortened(maxCellCharacters, texts[index]!.replace(/\p{Cc}/gu, ' '))
    // Numbers are made smaller instead of being broken.
    const text = fittingText(doc, shortText, isNumber ? Infinity : cellWidth)
    const cell = { text, left: start, width: cellWidth, isNumber }
    start += share * width
    if (!isNumber) height = Math.max(height, doc.heightOfString(cell.text, { width: cell.width }))
    return cell
  })
  return { font, height: height + 2 * cellPadding, cells }
}

/**
 * Writes one row. Without an element, the row is a repetition that screen readers skip.
 */
function drawRow(
  { doc, left, width }: PdfPage,
  row: Row,
  element: PDFKit.PDFStructureElement | null,
  tag: 'TH' | 'TD',
): void {
  const top = doc.y
  const cells = row.cells.map((cell) => () => drawCell(doc, cell, top + cellPadding))
  if (element) {
    const line = doc.struct('TR')
    element.add(line)
    // The types of the library lack the scope of a header.
    const options = (
      tag === 'TH' ? { scope: 'Column' } : {}
    ) as PDFKit.Mixins.StructureElementOptions
    for (const draw of cells) line.add(doc.struct(tag, options, draw))
    line.end()
  }
  doc.markContent('Artifact', { type: 'Layout' })
  if (!element) for (const draw of cells) draw()
  doc.lineWidth(tag === 'TH' ? 0.8 : 0.3).strokeColor('#808080')
  const bottom = top + row.height
  doc
    .moveTo(left, bottom)
    .lineTo(left + width, bottom)
    .stroke()
  doc.endMarkedContent()
  doc.x = left
  doc.y = bottom
}

function drawCell(doc: PDFKit.PDFDocument, cell: Row['cells'][number], top: number): void {
  const { text, left, width, isNumber } = cell
  if (!isNumber) {
    doc.text(text, left, top, { width })
    return
  }
  // Wrapping and aligning by the library would measure each number several times.
  const textWidth = doc.widthOfString(text)
  if (textWidth <= width) {
    doc.text(text, left + width - textWidth, top, { lineBreak: false })
    return
  }
  doc.fontSize((size * width) / textWidth).text(text, left, top, { lineBreak: false })
  doc.fontSize(size)
}
