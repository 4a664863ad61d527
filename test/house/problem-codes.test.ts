import { expect, test } from 'vitest'
import { areas, withCodes } from './problem-codes.ts'

test.each(areas)(
  'the README of %s lists the problem codes its code raises (npm run draw)',
  (area) => {
    const { before, after } = withCodes(area)
    expect(before).toBe(after)
  },
)
