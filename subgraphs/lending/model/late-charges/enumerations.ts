import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const DefaultInterestBase = enumeration(
  'DefaultInterestBase',
  'The overdue amount on which default interest is charged.',
  {
    principal: 'The overdue principal, so that no interest is charged on interest.',
    installment: 'The overdue principal and interest.',
  },
)
export type DefaultInterestBase = TypeOf<typeof DefaultInterestBase>

export const LateChargeWaiverReason = enumeration(
  'LateChargeWaiverReason',
  'Why the bank waives late charges.',
  {
    goodwill: 'A gesture of goodwill.',
    'bank-error': 'The bank caused the delay.',
    hardship: 'The borrower is in financial difficulty.',
    settlement: 'Part of an agreement to settle the arrears.',
  },
)
export type LateChargeWaiverReason = TypeOf<typeof LateChargeWaiverReason>

export const LateChargePauseReason = enumeration(
  'LateChargePauseReason',
  'Why the bank pauses late charges.',
  {
    hardship: 'The borrower is in financial difficulty, or has requested relief.',
    dispute: 'The borrower disputes what is due.',
    'bank-error': 'The bank caused the delay.',
    'natural-disaster': 'A natural disaster or another emergency keeps the borrower from paying.',
    legal: 'A law or a court forbids the charges, such as during insolvency proceedings.',
  },
)
export type LateChargePauseReason = TypeOf<typeof LateChargePauseReason>
