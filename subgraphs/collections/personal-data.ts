import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('collections', 'the pursuit of arrears', {
  'collections.strategy': null,
  'collections.run': null,
  'collections.episode': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'contract pause_reason close_reason next_step_code case_state',
  },
  'collections.step': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'code action template_code channel priority failure_code document_state',
  },
})
