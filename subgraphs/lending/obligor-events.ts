import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  amountMinor,
  currency,
  date,
  decimal,
  id,
  oneOf,
  orNull,
  record,
} from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { GuaranteeCallStatus, ObligorRole, ObligorStatus } from './model/obligors/enumerations.ts'
import { GuaranteeCall, guaranteeCallStates } from './model/obligors/guarantee-call.ts'
import { FacilityObligor, obligorStates } from './model/obligors/obligor.ts'

declareSubject('obligor', FacilityObligor)

const obligorEvents = declareEvents(
  {
    'lending.facility.obligor-added': 'A co-borrower or a guarantor was added to a facility.',
    'lending.facility.obligor-ended':
      'An obligor is no longer liable, because the facility or the guarantee ended.',
    ...eventsOf(obligorStates),
  },
  record({
    obligorId: id,
    facilityId: id,
    partyId: id,
    role: oneOf(ObligorRole.values),
    status: oneOf(ObligorStatus.values),
    currency,
    amountMinor: orNull(amountMinor),
    percentage: orNull(decimal),
    validUntil: orNull(date),
    documentId: orNull(id),
  }),
)

declareSubject('guarantee-call', GuaranteeCall)

const guaranteeCallEvents = declareEvents(
  {
    'lending.guarantee-call.made': 'The bank required an amount from a guarantor.',
    ...eventsOf(guaranteeCallStates),
  },
  record({
    guaranteeCallId: id,
    obligorId: id,
    facilityId: id,
    partyId: id,
    status: oneOf(GuaranteeCallStatus.values),
    amountMinor,
    currency,
    dueOn: date,
  }),
)

export type GuaranteeCallEvent = keyof typeof guaranteeCallEvents
export type ObligorEvent = keyof typeof obligorEvents
