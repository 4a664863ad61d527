import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

const ownSql = 'SQL of its own writes or compares the column.'

declarePersonalData('staff', 'the rights of employees', {
  'staff.employee': {
    party: null,
    rule: 'scheduled',
    personal: {
      username: { category: 'access', plain: ownSql },
      name: { category: 'identity', plain: ownSql },
      status_reason: 'communication',
    },
    other: 'roles proposed_roles',
  },
})
