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
  /** Whether the column has numbers, which are aligned to the right. */
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

/** Writes a paragraph or a heading below what was written last. */
export function drawText(
  { doc, root, left, width }: PdfPage,
  tag: 'H1' | 'H2' | 'P',
  text: string,
  { font = 'regular' as Font, size: fontSize = 9 } = {},
): void {
  const draw = () => doc.font(font).fontSize(fontSize).text(text, left, doc.y, { width })
  root.add(doc.struct(tag, {}, draw))
  doc.moveDown(0.3)
}

/** Writes a table. It continues on further pages, each of which begins with the titles of the columns. */
export function drawTable(page: PdfPage, table: PdfTable): void {
  const { doc, root } = page
  const titles = table.columns.map(({ title }) => title)
  const element = doc.struct('Table')
  root.add(element)
  drawRow(page, table, titles, element, 'TH')
  table.rows.forEach((row, index) => {
    const font = table.boldRows?.includes(index) ? 'bold' : 'regular'
    const bottom = doc.page.height - doc.page.margins.bottom
    if (doc.y + heightOf(page, table, row, font) > bottom) {
      doc.addPage()
      drawRow(page, table, titles, null, 'TH')
    }
    drawRow(page, table, row, element, 'TD', font)
  })
  element.end()
  doc.moveDown(0.5)
}

/**
 * Writes one row. Without an element, the row is a repetition that screen readers skip.
 */
function drawRow(
  page: PdfPage,
  table: PdfTable,
  row: readonly string[],
  element: PDFKit.PDFStructureElement | null,
  tag: 'TH' | 'TD',
  rowFont: Font = 'bold',
): void {
  const { doc, left, width } = page
  const top = doc.y
  const height = heightOf(page, table, row, rowFont)
  const cells = cellsOf(page, table).map((cell, index) => () => {
    doc.font(rowFont).fontSize(size)
    doc.text(row[index]!, cell.left, top + cellPadding, cell.options)
  })
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
  doc
    .moveTo(left, top + height)
    .lineTo(left + width, top + height)
    .stroke()
  doc.endMarkedContent()
  doc.x = left
  doc.y = top + height
}

function cellsOf({ left, width }: PdfPage, { columns }: PdfTable) {
  let start = left
  return columns.map(({ share, isNumber }) => {
    const cell = {
      left: start,
      options: {
        width: share * width - 6,
        align: isNumber ? ('right' as const) : ('left' as const),
      },
    }
    start += share * width
    return cell
  })
}

function heightOf(page: PdfPage, table: PdfTable, row: readonly string[], font: Font): number {
  page.doc.font(font).fontSize(size)
  const heights = cellsOf(page, table).map(({ options }, index) =>
    page.doc.heightOfString(row[index]!, options),
  )
  return Math.max(...heights) + 2 * cellPadding
}
