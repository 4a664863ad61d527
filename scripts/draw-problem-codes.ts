import { writeFileSync } from 'node:fs'
import { areas, withCodes } from '../test/house/problem-codes.ts'

// Writes the problem codes of each area into the area's README. A test checks that they are
// current.
for (const area of areas) {
  const { path, after } = withCodes(area)
  writeFileSync(path, after)
}
