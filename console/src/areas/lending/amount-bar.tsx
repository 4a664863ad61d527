import { Group, Stack, Text } from '@mantine/core'
import type { MoneyValue } from '../../parts/format.ts'
import { Money } from '../../parts/values.tsx'
import { percentOf } from './amounts.ts'
import './lending.css'

/** A part of an amount, such as what is used of a limit. */
export interface BarPart {
  name: string
  value: MoneyValue
  look: 'used' | 'available' | 'reduced'
}

/** An amount as a bar with its parts, named and valued below it. */
export function AmountBar({
  label,
  total,
  parts,
}: {
  label: string
  total: MoneyValue
  parts: readonly BarPart[]
}) {
  return (
    <Stack component="figure" m={0} gap="xs" aria-label={label}>
      <div className="bar" aria-hidden>
        {parts.map(({ name, value, look }) => {
          const width = percentOf(value, total)
          return (
            width > 0 && (
              <div key={name} className={`bar-part bar-${look}`} style={{ width: `${width}%` }} />
            )
          )
        })}
      </div>
      <Group className="bar-legend">
        {parts.map(({ name, value, look }) => (
          <Group key={name} gap={6} wrap="nowrap">
            <span className={`swatch bar-${look}`} aria-hidden />
            <Text size="sm">
              {name}: <Money value={value} />
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  )
}
