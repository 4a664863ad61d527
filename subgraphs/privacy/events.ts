import { declareRecordEvents, type EventTypeOf } from '../../kernel/events/record-data.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { DataExport } from './model/data-export.ts'
import { ErasureRequest, erasureStates } from './model/erasure.ts'

export const dataExportEvents = declareRecordEvents('data-export', DataExport, {
  'privacy.data-export.requested': 'An export of the data of a party or an employee was requested.',
})
export type DataExportEvent = EventTypeOf<typeof dataExportEvents>

export const erasureEvents = declareRecordEvents('erasure-request', ErasureRequest, {
  'privacy.erasure-request.proposed':
    'An erasure of the data of a party or an employee was proposed.',
  'privacy.erasure-request.due': 'A retention period of a party or an employee ended.',
  'privacy.erasure-request.completed':
    'The data of a party or an employee was erased as far as allowed.',
  ...eventsOf(erasureStates),
})
export type ErasureEvent = EventTypeOf<typeof erasureEvents>
