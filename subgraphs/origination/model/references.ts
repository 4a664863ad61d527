import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const Customer = entity('Customer', 'customerId', undefined, {
  customerId: id(),
})
export type Customer = TypeOf<typeof Customer>

export const CaseStub = reference('Case', {
  caseId: id(),
})
export type CaseStub = TypeOf<typeof CaseStub>

export const NotificationStub = reference('Notification', {
  notificationId: id(),
})
export type NotificationStub = TypeOf<typeof NotificationStub>

export const PricingQuoteStub = reference('PricingQuote', {
  pricingQuoteId: id(),
})
export type PricingQuoteStub = TypeOf<typeof PricingQuoteStub>

export const AgreementStub = reference('Agreement', {
  agreementId: id(),
})
export type AgreementStub = TypeOf<typeof AgreementStub>

export const FacilityStub = reference('Facility', {
  facilityId: id(),
})
export type FacilityStub = TypeOf<typeof FacilityStub>
