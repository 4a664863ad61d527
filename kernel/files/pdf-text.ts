/** The font in use, which the types of the library leave out. */
interface WithFont {
  _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } }
}

/** No word of this length is wider than a column. */
const shortWord = 12
/** What the library does not break: letters, and spaces at which a line must not end. */
const unbroken = /[\S\u00a0\u2007\u202f\ufeff]+/g
/** A part of a word is measured character by character, so it may be a little wider with kerning. */
const kerning = 0.97

/**
 * Returns a text as the font in use can show it in a width. What the font cannot show, such as Chinese
 * characters, is replaced, because PDF/A forbids empty boxes. Words that are wider are broken: the
 * library measures what is left of such a word for each line, so that 16,000 letters would take half a
 * minute.
 */
export function fittingText(doc: PDFKit.PDFDocument, text: string, width: number): string {
  const { font } = (doc as unknown as WithFont)._font
  const printable = Array.from(text, (character) =>
    font.hasGlyphForCodePoint(character.codePointAt(0)!) || character === '\n' ? character : '?',
  ).join('')
  return printable.replace(unbroken, (word) =>
    word.length <= shortWord || doc.widthOfString(word) <= width
      ? word
      : brokenWord(doc, word, width * kerning),
  )
}

function brokenWord(doc: PDFKit.PDFDocument, word: string, width: number): string {
  const widths = new Map<string, number>()
  const widthOf = (character: string) => {
    const known = widths.get(character) ?? doc.widthOfString(character)
    widths.set(character, known)
    return known
  }
  const lines: string[] = []
  let line = ''
  let lineWidth = 0
  for (const character of word) {
    if (lineWidth + widthOf(character) > width && line !== '') {
      lines.push(line)
      line = ''
      lineWidth = 0
    }
    line += character
    lineWidth += widthOf(character)
  }
  return [...lines, line].join('\n')
}
