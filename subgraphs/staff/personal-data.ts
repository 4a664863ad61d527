import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('staff', 'the rights of employees', {
  'staff.employee': {
    party: null,
    rule: 'scheduled',
    personal: {
      username: { category: 'access', plain: plainReasons.sql },
      name: { category: 'identity', plain: plainReasons.sql },
      status_reason: 'communication',
    },
    other: 'roles proposed_roles',
  },
})
