/** The years for which the console offers certificates. */
import { expect, test } from 'vitest'
import { certificateYears } from '../../console/src/parts/certificate-years.ts'

test.each([
  ['2090-03-01', '2090-12-31', [2090]],
  ['2090-03-01', '2091-01-01', [2090, 2091]],
  ['2090-03-01T10:00:00Z', '2094-01-01', [2093, 2094]],
  ['2090-03-01', '', []],
])('a contract that was opened on %s has on %s those of %j', (openedOn, today, years) => {
  expect(certificateYears(openedOn, today)).toEqual(years)
})
