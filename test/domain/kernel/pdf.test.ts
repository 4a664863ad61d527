/** PDF files: what they show, what a screen reader reads, and what PDF/A requires. */
import { describe, expect, test } from 'vitest'
import { renderPdf, type PdfReport } from '../../../kernel/files/pdf.ts'
import { readPdf } from './pdf-reader.ts'

const report = (change: Partial<PdfReport> = {}, rows = [['2090-01-02', 'Rent', '-5.00']]) => ({
  title: 'Statement of loan_1',
  facts: [['Borrower', 'Łucja Ωμέγα Жуков Nguyễn']] as const,
  sections: [
    {
      heading: 'Movements',
      table: {
        columns: [
          { title: 'Date', share: 0.2 },
          { title: 'Text', share: 0.6 },
          { title: 'Amount', share: 0.2, isNumber: true },
        ],
        rows,
      },
      note: 'Nothing is due.',
    },
  ],
  footer: 'Days are in UTC.',
  createdAt: new Date('2090-01-31T10:00:00Z'),
  ...change,
})

describe('A PDF file', () => {
  test('has its content in reading order, with the headers of the columns', async () => {
    const { tags, title } = await readPdf(await renderPdf(report()))
    expect(title).toBe('Statement of loan_1')
    expect(tags).toEqual([
      'Root',
      '  Document',
      '    H1: Statement of loan_1',
      '    P: Borrower: Łucja Ωμέγα Жуков Nguyễn',
      '    H2: Movements',
      '    Table',
      '      TR',
      '        TH: Date',
      '        TH: Text',
      '        TH: Amount',
      '      TR',
      '        TD: 2090-01-02',
      '        TD: Rent',
      '        TD: -5.00',
      '    P: Nothing is due.',
    ])
  })

  test('repeats the titles of the columns on each page, for the eyes only', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ['2090-01-02', `Row ${index}`, '1.00'])
    const { texts, tags, pages } = await readPdf(await renderPdf(report({}, rows)))
    expect(pages).toBe(4)
    expect(texts.filter((text) => text.endsWith(': Amount'))).toHaveLength(4)
    expect(tags.filter((tag) => tag.trim() === 'TH: Amount')).toHaveLength(1)
    const stated = tags.flatMap((tag) => /TD: (Row \d+)$/.exec(tag)?.[1] ?? [])
    expect(stated).toEqual(rows.map(([, text]) => text))
    const numbers = texts.flatMap((text) => /Page \d+ of \d+$/.exec(text)?.[0] ?? [])
    expect(numbers).toEqual(['Page 1 of 4', 'Page 2 of 4', 'Page 3 of 4', 'Page 4 of 4'])
  })

  test('declares PDF/A-2a, with embedded fonts, a color profile and a language', async () => {
    const content = await renderPdf(report())
    const { metadata } = await readPdf(content)
    expect(metadata).toContain('<pdfaid:part>2</pdfaid:part>')
    expect(metadata).toContain('<pdfaid:conformance>A</pdfaid:conformance>')
    const raw = content.toString('latin1')
    const fonts = raw.match(/\/Type \/FontDescriptor/g) ?? []
    expect(fonts).toHaveLength(2)
    expect(raw.match(/\/FontFile2 \d+ 0 R/g)).toHaveLength(2)
    for (const key of ['/S /GTS_PDFA1', '/Marked true', '/Lang (en)', '/DisplayDocTitle true']) {
      expect(raw).toContain(key)
    }
    expect(raw).not.toMatch(/\/Encrypt|\/JavaScript|\/Type1\b/)
  })

  test('shows a question mark for a character that the font lacks', async () => {
    const facts = [['Borrower', '王 Wang']] as const
    const { tags } = await readPdf(await renderPdf(report({ facts })))
    expect(tags).toContain('    P: Borrower: ? Wang')
  })

  test('is the same for the same content', async () => {
    const [one, other] = await Promise.all([renderPdf(report()), renderPdf(report())])
    expect(one.equals(other)).toBe(true)
  })
})
