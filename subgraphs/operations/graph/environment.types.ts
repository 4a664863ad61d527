import { Field, ObjectType } from 'type-graphql'
import type { EnvironmentName } from '../../_kernel/config.ts'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { ClockAdvance } from './clock-advance.types.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'

const EnvironmentNameEnum = wireEnum<EnvironmentName>(
  'EnvironmentName',
  ['live', 'sandbox'],
  'Two environments with nothing in common: LIVE is strict, SANDBOX is for trying.',
)

@ObjectType({ description: 'Where you are, and what time it is there.' })
export class Environment {
  @Field(() => EnvironmentNameEnum)
  name: EnvironmentName

  @Field(() => DateTimeScalar, {
    description: "The bank's time: real time, and in the sandbox as far ahead as it was moved.",
  })
  now: Date

  @Field(() => LocalDateScalar, { description: 'The day of business: the date in UTC.' })
  businessDate: LocalDate

  @Field(() => ClockAdvance, {
    nullable: true,
    description:
      'The move of the clock that was requested, or the latest one: whether the bank has caught up with it. ' +
      'null where the clock was never moved.',
  })
  clockAdvance: ClockAdvance | null
}
