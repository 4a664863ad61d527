import { useQuery } from '@apollo/client/react'
import { SegmentedControl, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandButton } from '../../parts/command-button.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { JobName, JobProgress } from './job-cells.tsx'
import { JobsDocument, RunJobDocument, type JobsQuery } from './queries.generated.ts'

type Job = NonNullable<JobsQuery['jobs']>[number]

const pollMs = 3000

/** The recurring jobs of the bank, with their progress and their last error. */
export function JobsSection() {
  const { data, error } = useQuery(JobsDocument, { pollInterval: pollMs })
  const { jobs: shown = 'notable' } = useSearch({ from: '/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const canRun = useMay()('operations:manage')
  const jobs = data?.jobs?.filter(({ status }) => shown === 'all' || status !== 'IDLE')
  const idle = (data?.jobs?.length ?? 0) - (jobs?.length ?? 0)
  return (
    <Section
      title="Jobs"
      description={
        idle > 0 && (idle === 1 ? '1 job has nothing to do.' : `${idle} jobs have nothing to do.`)
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Jobs"
          data={[
            { value: 'notable', label: 'At work or failed' },
            { value: 'all', label: 'All' },
          ]}
          value={shown}
          onChange={(value) => void navigate({ search: (old) => ({ ...old, jobs: value }) })}
        />
      }
    >
      {error && <ProblemAlert error={error} />}
      {jobs?.length === 0 && <Empty>Every job is idle. Nothing is due, and nothing failed.</Empty>}
      {jobs && jobs.length > 0 && (
        <RowTable
          label="Jobs"
          rows={jobs}
          columns={canRun ? [...columns, runColumn] : columns}
          keyOf={({ name }) => name}
        />
      )}
      {!jobs && !error && <Lines />}
    </Section>
  )
}

const columns: readonly Column<Job>[] = [
  {
    title: 'Job',
    cell: ({ name, purpose, lastError }) => (
      <>
        <JobName name={name} about={purpose} />
        {lastError && (
          <Text size="sm" c="red">
            {lastError.detail}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Status',
    cell: ({ name, status, progress }) => (
      <>
        <State value={status} />
        <JobProgress label={`Progress of ${name}`} progress={progress} />
      </>
    ),
  },
  { title: 'Last run', cell: ({ lastRunAt }) => <Time value={lastRunAt} /> },
]

const runColumn: Column<Job> = {
  title: 'Actions',
  isTitleHidden: true,
  isNumeric: true,
  cell: ({ name }) => (
    <CommandButton
      id={`run-job:${name}`}
      mutation={RunJobDocument}
      variables={{ name }}
      size="xs"
      variant="default"
    >
      Run now<span className="visually-hidden">: {name}</span>
    </CommandButton>
  ),
}
