/** PDF files: what they show, what a screen reader reads, and what PDF/A requires. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { describe, expect, test, vi } from 'vitest'
import { renderPdf, type PdfReport } from '../../../kernel/files/pdf.ts'
import { renderPdfForCaller } from '../../../kernel/files/pdf-for-caller.ts'
import type { Context } from '../../../kernel/environment/context.ts'
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

  test('opens each font once', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ['2090-01-02', `Row ${index}`, '1.00'])
    const reads = vi.spyOn(fs, 'readFileSync')
    syncBuiltinESMExports()
    await renderPdf(report({}, rows))
    const fonts = reads.mock.calls.filter(([path]) => String(path).endsWith('.ttf'))
    reads.mockRestore()
    syncBuiltinESMExports()
    expect(fonts).toHaveLength(2)
  })

  test('breaks a word that is wider than its column, and cuts off a text that fills a page', async () => {
    const word = 'W'.repeat(100)
    const { texts, tags } = await readPdf(
      await renderPdf(report({}, [['2090-01-02', `Ref ${word}`, '1.00']])),
    )
    const [cell] = tags.filter((tag) => tag.includes('TD: Ref'))
    expect(cell!.match(/W/g)).toHaveLength(word.length)
    const parts = texts.filter((text) => /: W+$/.test(text))
    expect(parts.length).toBeGreaterThan(2)
    // The column begins at 149, and the next one at 446.
    const characters = Math.max(...parts.map((text) => text.split(': ')[1]!.length))
    expect(characters).toBeLessThan(297 / 7)
    const long = await readPdf(
      await renderPdf(report({}, [['2090-01-02', 'ab '.repeat(5000), '']])),
    )
    expect(long.pages).toBe(1)
    expect(long.tags.join()).toMatch(/(ab ?){100}.*…/)
  })

  test('shows a text with line breaks in one row, on one page', async () => {
    const lines = ['2090-01-02', 'a\r\n'.repeat(70), '1.00']
    const { texts, pages } = await readPdf(await renderPdf(report({}, [lines])))
    expect(pages).toBe(1)
    expect(texts.filter((text) => text.includes('?'))).toEqual([])
  })

  test('measures each character of a long word a few times, in a cell and in a paragraph', async () => {
    const { default: PDFDocument } = await import('pdfkit')
    const measure = vi.spyOn(PDFDocument.prototype, 'widthOfString')
    const word = Array.from({ length: 4000 }, (_, at) => (at * 7919).toString(36)).join('')
    const joined = word.replace(/(.{8})/g, '$1\u00a0')
    const facts = [['Text', word]] as const
    await renderPdf(report({ facts, paragraphs: [word, joined] }, [['2090-01-02', word, '1.00']]))
    const measured = measure.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0)
    measure.mockRestore()
    expect(measured).toBeGreaterThan(2 * word.length)
    expect(measured).toBeLessThan(30 * word.length)
  })

  test('shows a number that is wider than its column in smaller letters, beside the next one', async () => {
    const wide = '-123456789012345678901234567890.00'
    const columns = ['One', 'Other'].map((title) => ({ title, share: 0.2, isNumber: true }))
    const sections = [{ heading: 'Sums', table: { columns, rows: [[wide, wide]] } }]
    const { texts } = await readPdf(await renderPdf(report({ sections })))
    const shown = texts.filter((text) => text.endsWith(wide))
    // Aligned to the right in its own letters, it would begin left of its column.
    expect(shown.map((text) => /x (\d+)/.exec(text)![1])).toEqual(['50', '149'])
  })
})

describe('Rendering', () => {
  const rows = Array.from({ length: 120 }, (_, index) => ['2090-01-02', `Row ${index}`, '1.00'])

  test('is for two files at a time, and ends between rows if nobody waits', async () => {
    const calls: number[] = []
    const render = (index: number) => renderPdf(report({}, rows), () => void calls.push(index))
    const files = [1, 2, 3, 4, 5]
    await Promise.all(files.map(render))
    const isOpenAt = (place: number) => (file: number) =>
      calls.indexOf(file) <= place && place <= calls.lastIndexOf(file)
    const open = calls.map((_, place) => files.filter(isOpenAt(place)).length)
    expect(Math.max(...open)).toBe(2)
    let count = 0
    const stopped = renderPdf(report({}, rows), () => {
      if (++count === 3) throw new Error('not wanted')
    })
    await expect(stopped).rejects.toThrow('not wanted')
    // A file that was stopped leaves its turn to the next ones.
    await Promise.all(files.map(render))
  })

  test('is refused for the eleventh file of a request, and for a caller that no longer waits', async () => {
    const contextOf = (deadlineMs: number) =>
      ({ envelope: { deadlineMs }, isAbandoned: () => false }) as unknown as Context
    const read = () => Promise.resolve(report())
    const context = contextOf(Number.MAX_SAFE_INTEGER)
    const files = Array.from({ length: 11 }, () => renderPdfForCaller({ ...context }, read))
    const results = await Promise.allSettled(files)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    await expect(files[10]).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    await expect(renderPdfForCaller(contextOf(0), read)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
