import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('provisioning', 'the expected credit losses of loans', {
  'provisioning.provisioning_table': null,
  'provisioning.provisioning_run': null,
  'provisioning.provision': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'stage segment reasons',
  },
  'provisioning.provision_item': {
    party: 'party_id',
    rule: 'contract',
    personal: {},
    other: 'stage segment reasons',
  },
  'provisioning.stage_override': {
    party: 'party_id',
    rule: 'contract',
    personal: { reason: 'credit', end_reason: 'credit' },
    other: 'stage',
  },
})
