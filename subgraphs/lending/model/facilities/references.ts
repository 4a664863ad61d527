import { entity, id, label, reference, type TypeOf } from '../../../../kernel/domain/model.ts'

export const Customer = entity('Customer', 'customerId', undefined, {
  customerId: id(),
})
export type Customer = TypeOf<typeof Customer>

export const Party = entity('Party', 'partyId', undefined, {
  partyId: id(),
})
export type Party = TypeOf<typeof Party>

export const AccountArrangementStub = reference('AccountArrangement', {
  arrangementId: id(),
})
export type AccountArrangementStub = TypeOf<typeof AccountArrangementStub>

export const ProductStub = reference('Product', {
  productId: id(),
  version: label(),
})
export type ProductStub = TypeOf<typeof ProductStub>

export const CaseStub = reference('Case', {
  caseId: id(),
})
export type CaseStub = TypeOf<typeof CaseStub>

export const ReferenceRateStub = reference('ReferenceRate', {
  referenceRateId: id(),
})
export type ReferenceRateStub = TypeOf<typeof ReferenceRateStub>

export const LoanApplicationStub = reference('LoanApplication', {
  applicationId: id(),
})
export type LoanApplicationStub = TypeOf<typeof LoanApplicationStub>

export const NotificationStub = reference('Notification', {
  notificationId: id(),
})
export type NotificationStub = TypeOf<typeof NotificationStub>

export const DocumentStub = reference('Document', {
  documentId: id(),
})
export type DocumentStub = TypeOf<typeof DocumentStub>
