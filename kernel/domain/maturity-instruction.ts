import { enumeration, type TypeOf } from './model.ts'

export const MaturityInstruction = enumeration(
  'MaturityInstruction',
  'What happens to a term deposit at its maturity. If the bank no longer offers the term, the money is ' +
    'paid out.',
  {
    'pay-out': 'The deposit and its interest are paid to the settlement account.',
    'renew-principal':
      'The deposit begins another term of the same length, at the rate that is then offered. The ' +
      'interest is paid to the settlement account.',
    'renew-with-interest':
      'The deposit and its interest begin another term of the same length, at the rate that is then ' +
      'offered.',
  },
)
export type MaturityInstruction = TypeOf<typeof MaturityInstruction>
