import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const FacilityStub = entity('Facility', 'facilityId', undefined, { facilityId: id() })
export type FacilityStub = TypeOf<typeof FacilityStub>

export const AccountArrangementStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type AccountArrangementStub = TypeOf<typeof AccountArrangementStub>

export const PartyStub = reference('Party', { partyId: id() })
export const CaseStub = reference('Case', { caseId: id() })
export const NotificationStub = reference('Notification', { notificationId: id() })
export const DocumentStub = reference('Document', { documentId: id() })
