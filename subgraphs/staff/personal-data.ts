import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('staff', 'the rights of employees', {
  'staff.employee': {
    party: null,
    employee: 'username',
    rule: 'employment',
    personal: {
      username: { category: 'access', rule: 'audit', plain: plainReasons.sql },
      name: { category: 'identity', plain: plainReasons.sql },
      status_reason: 'communication',
    },
    other: 'roles proposed_roles',
    hidden: 'log_in_code_hash',
  },
})
