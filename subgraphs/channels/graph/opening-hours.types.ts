import { Field, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { LabelScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import {
  weekdays,
  type OpenInterval,
  type OpeningHours,
  type Weekday,
} from '../domain/opening-hours.ts'

const WeekdayEnum = wireEnum('Weekday', weekdays, 'A day of the week.', {
  monday: 'Monday.',
  tuesday: 'Tuesday.',
  wednesday: 'Wednesday.',
  thursday: 'Thursday.',
  friday: 'Friday.',
  saturday: 'Saturday.',
  sunday: 'Sunday.',
})

@ObjectType('OpenInterval', {
  description: 'A period of one weekday during which a channel or routing profile is open.',
})
class OpenIntervalType implements OpenInterval {
  @Field(() => WeekdayEnum, { description: 'The day of the week.' })
  day: Weekday

  @Field(() => String, { description: 'The local time at which the interval starts, as HH:MM.' })
  from: string

  @Field(() => String, {
    description: 'The local time at which the interval ends, exclusive, as HH:MM up to 24:00.',
  })
  to: string
}

@ObjectType('OpeningHours', {
  description: 'The weekly opening hours of a channel or routing profile, with exceptions.',
})
export class OpeningHoursType {
  @Field(() => String, {
    description: 'The time zone of the hours, as an IANA name such as Europe/Amsterdam.',
  })
  zone: string

  @Field(() => [OpenIntervalType], { description: 'The open periods of a regular week.' })
  weekly: readonly OpenInterval[]

  @Field(() => [LocalDateScalar], {
    description:
      'The dates on which the channel or routing profile is closed all day, regardless of the ' +
      'weekday.',
  })
  closedOn: readonly string[]
}

@InputType({
  description: 'A period of one weekday during which a channel or routing profile is open.',
})
class OpenIntervalInput implements OpenInterval {
  @Field(() => WeekdayEnum, { description: 'The day of the week.' })
  day: Weekday

  @Field(() => LabelScalar, {
    description: 'The local time at which the interval starts, as HH:MM.',
  })
  from: string

  @Field(() => LabelScalar, {
    description:
      'The local time at which the interval ends, exclusive, as HH:MM up to 24:00. Must be ' +
      'after `from`.',
  })
  to: string
}

@InputType({
  description: 'The weekly opening hours of a channel or routing profile, with exceptions.',
})
export class OpeningHoursInput implements OpeningHours {
  @Field(() => LabelScalar, {
    description: 'The time zone of the hours, as an IANA name such as Europe/Amsterdam.',
  })
  zone: string

  @Field(() => [OpenIntervalInput], { description: 'The open periods of a regular week.' })
  weekly: OpenIntervalInput[]

  @Field(() => [LocalDateScalar], {
    defaultValue: [],
    description:
      'The dates on which the channel or routing profile is closed all day, regardless of the ' +
      'weekday. Defaults to none.',
  })
  closedOn: string[]
}
