import {
  boolean,
  id,
  integer,
  money,
  shape,
  stored,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { AccountCertificate as CertificateRecord } from '../domain/certificate.ts'

export const AccountCertificate = shape(
  'AccountCertificate',
  'The interest and the tax of an account in a calendar year, and its balance at the end. A payment of ' +
    'interest belongs to the year of the day from which it is part of the balance.',
  {
    arrangementId: id('The ID of the account.'),
    year: integer('The calendar year.'),
    interestCredited: money(
      'The interest before tax that was paid. Negative if the customer paid interest.',
    ),
    taxWithheld: money('The tax that was withheld.'),
    interestAfterTax: money('The interest after tax.'),
    overdraftInterestCharged: money('The interest that was charged for overdrafts.'),
    closingBalance: money('The balance by value date at the end of the year.'),
    isFinal: boolean(
      'Whether the figures can no longer change: the year ended more than 30 days ago, and all of ' +
        'its days are accrued.',
    ),
    certificate: stored<CertificateRecord>(),
  },
)
export type AccountCertificate = TypeOf<typeof AccountCertificate>
