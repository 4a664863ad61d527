import { expect, test } from 'vitest'
import { problemCodes } from '../../../kernel/domain/problem.ts'
import { addErrorCodes, ErrorCode } from '../../../subgraphs/operations/graph/problem.types.ts'

test('the codes are in order, whenever their areas were loaded', () => {
  addErrorCodes()
  // As if the area of this code was not loaded yet.
  delete ErrorCode.UNAUTHENTICATED
  addErrorCodes()
  expect(Object.keys(ErrorCode)).toEqual(problemCodes())
})
