import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const FacilityKind = enumeration(
  'FacilityKind',
  'The kind of credit that a facility provides. All kinds except `REVOLVING` are loans.',
  {
    'consumer-loan': 'A loan to a consumer, repaid in installments.',
    mortgage: 'A loan secured by real estate, repaid in installments.',
    'sme-facility': 'A loan to a small or medium-sized enterprise, repaid in installments.',
    revolving: 'A credit line whose repaid principal can be drawn again.',
  },
)
export type FacilityKind = TypeOf<typeof FacilityKind>

export const FacilityState = enumeration('FacilityState', 'The lifecycle state of a facility.', {
  approved: 'The facility is open and nothing has been drawn yet.',
  active: 'Money has been drawn and nothing is past due.',
  'in-arrears': 'At least one installment is past due.',
  matured: 'The revolving limit reached its maturity date and is repaid. This state is final.',
  'paid-off': 'The loan was repaid in full. This state is final.',
  'charged-off':
    'The receivable was removed from the books as a loss. The debt still exists and can be ' +
    'recovered.',
  recovered: 'The whole charged-off amount was recovered. This state is final.',
  'written-off':
    'The debt was removed from the books and can no longer be recovered. This state is final.',
  cancelled: 'The facility was cancelled before anything was drawn. This state is final.',
})
export type FacilityState = TypeOf<typeof FacilityState>
