import {
  type TypeOf,
  date,
  input,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
} from '../../../kernel/domain/model.ts'
import { Weekday } from './enumerations.ts'

export const OpenInterval = shape(
  'OpenInterval',
  'A period of one weekday during which a channel or routing profile is open.',
  {
    day: oneOf(Weekday, 'The day of the week.'),
    from: string('The local time at which the interval starts, as HH:MM.'),
    to: string('The local time at which the interval ends, exclusive, as HH:MM up to 24:00.'),
  },
)
export type OpenInterval = TypeOf<typeof OpenInterval>

export const OpeningHours = shape(
  'OpeningHours',
  'The weekly opening hours of a channel or routing profile, with exceptions.',
  {
    zone: string('The time zone of the hours, as an IANA name such as Europe/Amsterdam.'),
    weekly: list(object(OpenInterval), 'The open periods of a regular week.'),
    closedOn: list(
      date(),
      'The dates on which the channel or routing profile is closed all day, regardless of the ' +
        'weekday.',
    ),
  },
)
export type OpeningHours = TypeOf<typeof OpeningHours>

const OpenIntervalInput = input(
  'OpenIntervalInput',
  'A period of one weekday during which a channel or routing profile is open.',
  {
    day: oneOf(Weekday, 'The day of the week.'),
    from: label('The local time at which the interval starts, as HH:MM.'),
    to: label(
      'The local time at which the interval ends, exclusive, as HH:MM up to 24:00. Must be ' +
        'after `from`.',
    ),
  },
)
type OpenIntervalInput = TypeOf<typeof OpenIntervalInput>

export const OpeningHoursInput = input(
  'OpeningHoursInput',
  'The weekly opening hours of a channel or routing profile, with exceptions.',
  {
    zone: label('The time zone of the hours, as an IANA name such as Europe/Amsterdam.'),
    weekly: list(object(OpenIntervalInput), 'The open periods of a regular week.'),
    closedOn: list(
      date(),
      'The dates on which the channel or routing profile is closed all day, regardless of the ' +
        'weekday. Defaults to none.',
    ).defaultsTo([]),
  },
)
export type OpeningHoursInput = TypeOf<typeof OpeningHoursInput>
