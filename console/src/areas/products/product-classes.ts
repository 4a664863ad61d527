import { readable } from '../../parts/format.ts'

/** The classes under which the bank opens accounts and loans. A bank may use others as well. */
export const productClasses = [
  'current-account',
  'savings-account',
  'term-deposit',
  'consumer-loan',
  'mortgage',
  'overdraft',
  'revolving-credit',
  'sme-facility',
].map((value) => ({ value, label: readable(value) }))

/** The classes of accounts that customers can open themselves. */
export const depositClasses: ReadonlySet<string> = new Set(['savings-account', 'term-deposit'])
