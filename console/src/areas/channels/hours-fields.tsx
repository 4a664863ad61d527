import { Button, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { readable } from '../../parts/format.ts'
import { weekdays, type HoursValues } from './hours.ts'

interface HoursFieldsProps {
  hours: HoursValues
  errors: FormErrors
  onChange: (hours: HoursValues) => void
}

const weekdayOptions = weekdays.map((value) => ({ value, label: readable(value) }))

/** The opening hours of a channel or a profile, by weekday. */
export function HoursFields({ hours, errors, onChange }: HoursFieldsProps) {
  const { weekly } = hours
  const change = (index: number, values: Partial<HoursValues['weekly'][number]>) =>
    onChange({
      ...hours,
      weekly: weekly.map((each, position) => (position === index ? { ...each, ...values } : each)),
    })
  const add = () => {
    const day = weekdays[weekly.length % weekdays.length]!
    onChange({ ...hours, weekly: [...weekly, { day, from: '09:00', to: '17:00' }] })
  }
  const errorOf = (index: number, name: string) => errors[`hours.weekly.${index}.${name}`]
  return (
    <Fieldset legend="Opening hours">
      <Stack>
        {weekly.length === 0 && (
          <Text size="sm" c="dimmed">
            Always open. Add hours to close in between.
          </Text>
        )}
        {weekly.map(({ day, from, to }, index) => (
          <SimpleGrid key={index} cols={{ base: 1, xs: 3 }} className="list-item">
            <Select
              label="Day"
              allowDeselect={false}
              data={weekdayOptions}
              value={day}
              onChange={(value) => value && change(index, { day: value as typeof day })}
            />
            <TextInput
              label="From"
              value={from}
              error={errorOf(index, 'from')}
              onChange={({ currentTarget }) => change(index, { from: currentTarget.value })}
            />
            <TextInput
              label="To"
              value={to}
              error={errorOf(index, 'to')}
              onChange={({ currentTarget }) => change(index, { to: currentTarget.value })}
            />
          </SimpleGrid>
        ))}
        {weekly.length > 0 && (
          <TextInput
            label="Time zone"
            placeholder="Europe/Amsterdam"
            value={hours.zone}
            error={errors['hours.zone']}
            onChange={({ currentTarget }) => onChange({ ...hours, zone: currentTarget.value })}
          />
        )}
        <Group>
          <Button size="xs" variant="default" onClick={add}>
            Add hours
          </Button>
          {weekly.length > 0 && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              onClick={() => onChange({ ...hours, weekly: weekly.slice(0, -1) })}
            >
              Remove the last hours
            </Button>
          )}
        </Group>
      </Stack>
    </Fieldset>
  )
}
