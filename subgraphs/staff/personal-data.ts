import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('staff', 'the rights of employees', {
  'staff.employee': {
    party: null,
    rule: 'scheduled',
    personal: { username: 'access', name: 'identity', status_reason: 'communication' },
    other: 'roles proposed_roles',
  },
})
