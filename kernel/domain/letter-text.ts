const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Returns the paragraphs of a letter. In HTML, elements that begin a line end the paragraph before,
 * and tags are left out.
 */
export function paragraphsOf(body: string, isHtml: boolean): string[] {
  const plain = isHtml ? textOfHtml(body) : body
  return plain
    .split(/\n+/)
    .map((line) => line.replaceAll(/[ \t\r]+/g, ' ').trim())
    .filter((line) => line !== '')
}

function textOfHtml(html: string): string {
  return html
    .replaceAll(/<(style|script|head)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/[\n\r]+/g, ' ')
    .replaceAll(/<\/?(address|br|div|h[1-6]|hr|li|ol|p|table|tr|ul)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => characterOf(name) ?? whole)
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff
    ? String.fromCodePoint(code)
    : undefined
}
