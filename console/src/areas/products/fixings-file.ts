/** A fixing that a person enters. */
export interface EnteredFixing {
  fixedOn: string
  ratePct: string
}

const maxLines = 1000

/**
 * Reads fixings from lines of a day and a rate, such as `2026-03-02,2.15`. The separator is a comma, a
 * semicolon or a tab; with a semicolon or a tab, the rate can have a decimal comma. A first line
 * without a day is a heading. `fault` says what is wrong; null if nothing is.
 */
export function readFixings(text: string): { fixings: EnteredFixing[]; fault: string | null } {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line: line.trim() }))
    .filter(({ line }) => line !== '')
  const [heading] = lines
  const body = heading && !/\d{4}-\d{2}-\d{2}/.test(heading.line) ? lines.slice(1) : lines
  if (body.length === 0) return { fixings: [], fault: 'A day and a rate in each line.' }
  if (body.length > maxLines) return { fixings: [], fault: `At most ${maxLines} lines.` }
  const fixings: EnteredFixing[] = []
  for (const { number, line } of body) {
    const [fixedOn = '', rate = ''] = line.split(/[;\t]/.test(line) ? /[;\t]/ : ',')
    const fixing = { fixedOn: fixedOn.trim(), ratePct: rate.trim().replace(',', '.') }
    const isValid =
      /^\d{4}-\d{2}-\d{2}$/.test(fixing.fixedOn) && /^-?\d{1,3}(\.\d{1,6})?$/.test(fixing.ratePct)
    if (!isValid) return { fixings: [], fault: `Line ${number} is not a day and a rate: ${line}` }
    fixings.push(fixing)
  }
  return { fixings, fault: null }
}
