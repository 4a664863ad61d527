import {
  date,
  enumeration,
  instant,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { ClockAdvance } from './clock-advance.ts'

const EnvironmentNameEnum = enumeration(
  'EnvironmentName',
  'An environment of the bank. The environments share no data.',
  {
    live: 'The production environment.',
    sandbox: 'The test environment, with test data and a clock that can be moved forward.',
  },
)

export const Environment = shape(
  'Environment',
  "The caller's environment and the current time of its bank clock.",
  {
    name: oneOf(EnvironmentNameEnum, 'The name of the environment.'),
    now: instant(
      'The current bank time, in UTC. In the live environment, it is real time. In the sandbox, ' +
        'it is real time plus all clock advances.',
    ),
    businessDate: date(
      'The current business date, which is the UTC date of `now`.',
    ).as<LocalDate>(),
    clockAdvance: object(
      ClockAdvance,
      'The latest move of the clock, with its progress; null if the clock was never moved, or if ' +
        'the token lacks the scope `operations:read`.',
    ).orNull(),
  },
)
export type Environment = TypeOf<typeof Environment>
