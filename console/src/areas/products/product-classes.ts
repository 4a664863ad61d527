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

/** Whether customers can open accounts of a class themselves. The bank may spell a class like an enum. */
export const isDepositClass = (productClass: string): boolean =>
  /^(savings[-_ ]account|term[-_ ]deposit)$/i.test(productClass.trim())
