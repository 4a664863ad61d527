import { useQuery } from '@apollo/client/react'
import { Progress, SegmentedControl, Table, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandButton } from '../../parts/command-button.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { JobsDocument, RunJobDocument, type JobsQuery } from './queries.generated.ts'

type Job = NonNullable<JobsQuery['jobs']>[number]

const pollMs = 3000

/** The recurring jobs of the bank, with their progress and their last error. */
export function JobsSection() {
  const { data, error } = useQuery(JobsDocument, { pollInterval: pollMs })
  const { jobs: shown = 'notable' } = useSearch({ from: '/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const jobs = data?.jobs?.filter(({ status }) => shown === 'all' || status !== 'IDLE')
  const idle = (data?.jobs?.length ?? 0) - (jobs?.length ?? 0)
  return (
    <Section
      title="Jobs"
      description={idle > 0 && `${idle} jobs have nothing to do.`}
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
        <Table.ScrollContainer minWidth={640} type="native">
          <Table aria-label="Jobs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Job</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Last run</Table.Th>
                <Table.Th>
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {jobs.map((job) => (
                <JobRow key={job.name} job={job} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!jobs && !error && <Lines />}
    </Section>
  )
}

function JobRow({ job }: { job: Job }) {
  const { name, purpose, status, lastRunAt, progress, lastError } = job
  const may = useMay()
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
        {lastError && (
          <Text size="sm" c="red">
            {lastError.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <State value={status} />
        {progress?.total && (
          <Progress
            mt={6}
            w={120}
            value={(100 * progress.done) / progress.total}
            aria-label={`Progress of ${name}`}
          />
        )}
      </Table.Td>
      <Table.Td>
        <Time value={lastRunAt} />
      </Table.Td>
      <Table.Td ta="right">
        {may('operations:manage') && (
          <CommandButton
            id={`run-job:${name}`}
            mutation={RunJobDocument}
            variables={{ name }}
            size="xs"
            variant="default"
          >
            Run now<span className="visually-hidden">: {name}</span>
          </CommandButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
