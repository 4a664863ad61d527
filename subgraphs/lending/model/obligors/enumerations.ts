import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const ObligorRole = enumeration(
  'ObligorRole',
  'How a party besides the borrower is liable for a facility.',
  {
    'co-borrower': 'Jointly and severally liable for everything that is owed, like the borrower.',
    guarantor: 'Liable up to an amount or a percentage of what is owed, once the bank calls it.',
  },
)
export type ObligorRole = TypeOf<typeof ObligorRole>

export const ObligorStatus = enumeration('ObligorStatus', 'Whether an obligor is liable.', {
  active: 'The obligor is liable.',
  'release-proposed': 'The obligor is liable. A second person has to decide on the release.',
  released: 'The bank released the obligor. This status is final.',
  ended: 'The facility or the guarantee ended. This status is final.',
})
export type ObligorStatus = TypeOf<typeof ObligorStatus>

export const GuaranteeCallStatus = enumeration(
  'GuaranteeCallStatus',
  'Whether the bank still requires the amount of a call.',
  {
    open: 'The bank requires the amount. What was received shows whether it is paid.',
    withdrawn: 'The bank withdrew the call. This status is final.',
  },
)
export type GuaranteeCallStatus = TypeOf<typeof GuaranteeCallStatus>
