import { Field, ObjectType } from 'type-graphql'
import type { EnvironmentName } from '../../../kernel/environment/config.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { ClockAdvance } from './clock-advance.types.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'

const EnvironmentNameEnum = wireEnum<EnvironmentName>(
  'EnvironmentName',
  ['live', 'sandbox'],
  'An environment of the bank. The environments share no data.',
  {
    live: 'The production environment.',
    sandbox: 'The test environment, with test data and a clock that can be moved forward.',
  },
)

@ObjectType({ description: "The caller's environment and the current time of its bank clock." })
export class Environment {
  @Field(() => EnvironmentNameEnum, { description: 'The name of the environment.' })
  name: EnvironmentName

  @Field(() => DateTimeScalar, {
    description:
      'The current bank time, in UTC. In the live environment, it is real time. In the sandbox, ' +
      'it is real time plus all clock advances.',
  })
  now: Date

  @Field(() => LocalDateScalar, {
    description: 'The current business date, which is the UTC date of `now`.',
  })
  businessDate: LocalDate

  @Field(() => ClockAdvance, {
    nullable: true,
    description:
      'The latest move of the clock, with its progress; null if the clock was never moved.',
  })
  clockAdvance: ClockAdvance | null
}
