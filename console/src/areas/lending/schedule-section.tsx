import { useQuery } from '@apollo/client/react'
import { Select, Stack, Tabs, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatDate, readable } from '../../parts/format.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { FiguresComparison } from './figures-comparison.tsx'
import {
  ScheduleVersionsDocument,
  type FacilityDetailsQuery,
  type ScheduleVersionsQuery,
} from './queries.generated.ts'
import { ScheduleChart } from './schedule-chart.tsx'
import { ScheduleTable } from './schedule-table.tsx'

type Facility = NonNullable<FacilityDetailsQuery['facility']>
type Version = NonNullable<
  NonNullable<ScheduleVersionsQuery['facility']>['scheduleVersions']
>[number]

/** The repayment schedule as a chart and as a table, and beside it an earlier version of it. */
export function ScheduleSection({ facility }: { facility: Facility }) {
  const { facilityId, schedule, state } = facility
  const { compare } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, error } = useQuery(ScheduleVersionsDocument, { variables: { facilityId } })
  const versions = data?.facility?.scheduleVersions ?? []
  const [current, ...earlier] = versions
  const compared = earlier.find(({ version }) => String(version) === compare)
  const choose = (value: string | null) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, compare: value ?? undefined }),
      replace: true,
      resetScroll: false,
    })
  if (schedule.length === 0) {
    const hint = state === 'APPROVED' ? ' It is created when the money is paid out.' : ''
    return (
      <Section title="Repayment schedule">
        <Empty>There is no schedule yet.{hint}</Empty>
      </Section>
    )
  }
  return (
    <Section
      title="Repayment schedule"
      description={current && describe(current)}
      actions={
        earlier.length > 0 && (
          <Select
            aria-label="Compare with an earlier version"
            placeholder="Compare with a version"
            clearable
            data={earlier.map((version) => ({
              value: String(version.version),
              label: describe(version),
            }))}
            value={compared ? String(compared.version) : null}
            onChange={choose}
            w={300}
          />
        )
      }
    >
      {error && <ProblemAlert error={error} />}
      <ScheduleViews facility={facility} compared={compared} />
      {compared && current && (
        <Stack mt="md" gap="xs">
          <Text fw={600}>What changed since version {compared.version}</Text>
          <FiguresComparison
            before={compared.figures}
            after={current.figures}
            beforeName={`Version ${compared.version}`}
            afterName={`Version ${current.version}`}
          />
        </Stack>
      )}
    </Section>
  )
}

function ScheduleViews({
  facility: { schedule, currency },
  compared,
}: {
  facility: Facility
  compared: Version | undefined
}) {
  return (
    <Tabs defaultValue="chart" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="chart">Chart</Tabs.Tab>
        <Tabs.Tab value="table">Table</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="chart">
        <ScheduleChart
          schedule={schedule}
          currency={currency}
          compared={
            compared && {
              name: `version ${compared.version}`,
              installments: compared.installments,
            }
          }
        />
      </Tabs.Panel>
      <Tabs.Panel value="table">
        <ScheduleTable schedule={schedule} currency={currency} />
      </Tabs.Panel>
    </Tabs>
  )
}

const describe = ({ version, cause, createdAt }: Version) =>
  `Version ${version} · ${cause ? readable(cause) : 'Opening'} · ${formatDate(createdAt)}`
