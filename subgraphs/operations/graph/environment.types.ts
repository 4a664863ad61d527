import { Field, ObjectType } from 'type-graphql'
import type { EnvironmentName } from '../../_kernel/config.ts'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { ClockAdvance } from './clock-advance.types.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'

const EnvironmentNameEnum = wireEnum<EnvironmentName>(
  'EnvironmentName',
  ['live', 'sandbox'],
  'An environment of the bank. The environments share no data.',
  {
    live: 'The production environment.',
    sandbox: 'The test environment, with fixtures and a clock that can be moved.',
  },
)

@ObjectType({ description: 'The environment in which the caller operates, and its time.' })
export class Environment {
  @Field(() => EnvironmentNameEnum, { description: 'The name of the environment.' })
  name: EnvironmentName

  @Field(() => DateTimeScalar, {
    description:
      'The current time of the bank, in UTC: real time, plus the advance of the clock in ' +
      'the sandbox.',
  })
  now: Date

  @Field(() => LocalDateScalar, {
    description: 'The current business date, which is the UTC date of `now`.',
  })
  businessDate: LocalDate

  @Field(() => ClockAdvance, {
    nullable: true,
    description:
      'The move of the clock that was requested, or the latest one: whether the bank has caught up with it. ' +
      'null where the clock was never moved.',
  })
  clockAdvance: ClockAdvance | null
}
