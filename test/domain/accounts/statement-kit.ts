import type {
  DescribedStatement,
  DescribedStatementEntry,
} from '../../../subgraphs/accounts/files/statement-formats.ts'

export const entry = (change: Partial<DescribedStatementEntry> = {}): DescribedStatementEntry => ({
  entryId: 'pin_1.0',
  postingInstructionId: 'pin_1',
  sequence: 7,
  phase: 'committed',
  side: 'credit',
  amount: '5.00',
  currency: 'EUR',
  balanceAfter: '4.00',
  bookedAt: new Date('2090-01-03T23:59:59.999Z'),
  valueDate: '2090-01-02',
  remittanceInformation: 'Rent',
  endToEndId: 'E2E-1',
  counterparty: { name: 'Ada & Söhne', iban: 'GB33BUKB20201555555555' },
  ...change,
})
export const statement = (
  entries: DescribedStatementEntry[],
  change: Partial<DescribedStatement> = {},
): DescribedStatement => ({
  arrangementId: 'arr_1',
  accountNumber: 'DE89370400440532013000',
  createdAt: new Date('2090-02-01T00:00:00Z'),
  from: '2090-01-01',
  to: '2090-01-31',
  currency: 'EUR',
  openingBalance: '-1.00',
  closingBalance: '4.00',
  totalDebits: '0.00',
  totalCredits: '5.00',
  entries,
  ...change,
})
