import { CompositeChart, type CompositeChartSeries } from '@mantine/charts'
import { Group, Paper, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import '@mantine/charts/styles.css'
import {
  formatDate,
  formatMoney,
  formatMonth,
  formatShortMoney,
  readable,
} from '../../parts/format.ts'
import {
  scheduleRows,
  type Phase,
  type ScheduledInstallment,
  type ScheduleRow,
} from './schedule-rows.ts'
import './lending.css'

interface ScheduleChartProps {
  schedule: readonly ScheduledInstallment[]
  currency: string
  /** Another schedule whose remaining balance is drawn over this one, and its name. */
  compared?: { name: string; installments: readonly ScheduledInstallment[] } | undefined
  /** The name of the schedule, if it is not the one in force. */
  name?: string
}

const phases: readonly Phase[] = ['paid', 'due', 'planned']
const colors = { principal: 'var(--schedule-principal)', interest: 'var(--schedule-interest)' }

/** A schedule as a picture: principal and interest of each installment, and the remaining balance. */
export function ScheduleChart({ schedule, currency, compared, name }: ScheduleChartProps) {
  // On a phone, the bars need the room that names and wide numbers of the axes would take.
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const rows = scheduleRows(schedule, compared?.installments)
  const series: CompositeChartSeries[] = [
    ...phases.flatMap((phase) =>
      (['principal', 'interest'] as const).map((part) => ({
        name: `${part}-${phase}`,
        type: 'bar' as const,
        color: phase === 'planned' ? colors[part] : `url(#${part}-${phase})`,
      })),
    ),
    { name: 'balance', type: 'line', color: 'var(--schedule-balance)', yAxisId: 'right' },
    ...(compared
      ? [
          {
            name: 'comparedBalance',
            type: 'line' as const,
            color: 'var(--schedule-compared)',
            strokeDasharray: '5 4',
            yAxisId: 'right',
          },
        ]
      : []),
  ]
  const axis = (value: number) => formatShortMoney(value, currency)
  return (
    <Stack gap="xs" className="schedule">
      <Patterns />
      <CompositeChart
        h={300}
        data={rows}
        dataKey="dueDate"
        series={series}
        withDots={false}
        withRightYAxis
        {...(!isNarrow && { yAxisLabel: 'Installment', rightYAxisLabel: 'Remaining balance' })}
        tickLine="none"
        maxBarWidth={36}
        curveType="linear"
        connectNulls
        xAxisProps={{ tickFormatter: formatMonth, minTickGap: 40 }}
        yAxisProps={{ width: isNarrow ? 44 : 76, tickFormatter: axis }}
        rightYAxisProps={{ width: isNarrow ? 44 : 80, tickFormatter: axis }}
        barProps={(bar) => ({
          stackId: 'payment',
          isAnimationActive: false,
          ...(bar.name.endsWith('planned') && {
            fillOpacity: 0.35,
            stroke: bar.color,
            strokeOpacity: 1,
            strokeWidth: 1,
          }),
        })}
        lineProps={{ isAnimationActive: false }}
        tooltipProps={{
          content: ({ payload }) => {
            const row = payload?.[0]?.payload as ScheduleRow | undefined
            return row ? <Tooltip row={row} currency={currency} compared={compared?.name} /> : null
          },
        }}
      />
      <Legend
        phases={phases.filter((each) => rows.some(({ phase }) => phase === each))}
        compared={compared?.name}
        name={name}
      />
    </Stack>
  )
}

/** Fills that distinguish installments without color: paid is solid, due is hatched. */
const Patterns = () => (
  <svg width={0} height={0} aria-hidden className="patterns">
    <defs>
      {(['principal', 'interest'] as const).map((part) => (
        <g key={part}>
          <pattern id={`${part}-paid`} width={8} height={8} patternUnits="userSpaceOnUse">
            <rect width={8} height={8} fill={colors[part]} />
          </pattern>
          <pattern
            id={`${part}-due`}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={6} height={6} fill={colors[part]} fillOpacity={0.25} />
            <rect width={3} height={6} fill={colors[part]} />
          </pattern>
        </g>
      ))}
    </defs>
  </svg>
)

function Tooltip({
  row,
  currency,
  compared,
}: {
  row: ScheduleRow
  currency: string
  compared: string | undefined
}) {
  const { phase, number, dueDate, balance, comparedBalance } = row
  const lines = [
    ...(phase
      ? [
          ['Principal', row[`principal-${phase}`]] as const,
          ['Interest', row[`interest-${phase}`]] as const,
        ]
      : []),
    ['Remaining balance', balance] as const,
    ...(compared ? [[`Remaining balance, ${compared}`, comparedBalance] as const] : []),
  ]
  return (
    <Paper withBorder shadow="md" p="sm" radius="md">
      <Text size="sm" fw={600}>
        {formatDate(dueDate)}
      </Text>
      {phase && (
        <Text size="xs" c="dimmed" mb={4}>
          Installment {number} · {readable(phase)}
        </Text>
      )}
      {lines.map(
        ([label, value]) =>
          typeof value === 'number' && (
            <Group key={label} justify="space-between" gap="lg">
              <Text size="sm">{label}</Text>
              <Text size="sm" className="figure">
                {formatMoney({ amount: String(value), currency })}
              </Text>
            </Group>
          ),
      )}
    </Paper>
  )
}

function Legend({
  phases: shown,
  compared,
  name,
}: {
  phases: readonly Phase[]
  compared: string | undefined
  name: string | undefined
}) {
  const entries = [
    ['principal', 'Principal'],
    ['interest', 'Interest'],
    ...shown.map((phase) => [phase, readable(phase)] as const),
    ['balance', name ? `Remaining balance, ${name}` : 'Remaining balance'],
    ...(compared ? [['compared', `Remaining balance, ${compared}`]] : []),
  ] as const
  return (
    <Group gap="md" justify="center" component="ul" className="legend" aria-label="Legend">
      {entries.map(([kind, label]) => (
        <Group key={kind} component="li" gap={6} wrap="nowrap">
          <span className={`swatch swatch-${kind}`} aria-hidden />
          <Text size="xs">{label}</Text>
        </Group>
      ))}
    </Group>
  )
}
