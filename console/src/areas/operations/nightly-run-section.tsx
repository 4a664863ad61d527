import { useQuery } from '@apollo/client/react'
import { Figure, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { JobName, JobProgress } from './job-cells.tsx'
import { NightlyRunDocument, type NightlyRunQuery } from './queries.generated.ts'

type Step = NonNullable<NightlyRunQuery['nightlyRun']>['steps'][number]

const pollMs = 3000

/** The jobs that close the business date that has ended, as one plan. */
export function NightlyRunSection() {
  const { data, error } = useQuery(NightlyRunDocument, { pollInterval: pollMs })
  const run = data?.nightlyRun
  return (
    <Section title="Nightly run" description="What closes the business date that has ended.">
      {error && <ProblemAlert error={error} />}
      {run ? (
        <>
          <div className="figures">
            <Figure name="Closes" value={<Time value={run.businessDate} />} />
            <Figure name="State" value={<State value={run.status} />} />
            {run.estimatedEndAt && (
              <Figure name="Expected end" value={<Time value={run.estimatedEndAt} />} />
            )}
          </div>
          <RowTable
            label="Steps of the nightly run"
            rows={run.steps}
            columns={columns}
            keyOf={({ job }) => job.name}
          />
        </>
      ) : (
        !error && <Lines />
      )}
    </Section>
  )
}

const columns: readonly Column<Step>[] = [
  {
    title: 'Step',
    cell: ({ phase, job }) => (
      <JobName
        name={job.name}
        about={`${phase.charAt(0)}${phase.slice(1).toLowerCase()}: ${job.purpose}`}
      />
    ),
  },
  {
    title: 'Status',
    cell: ({ status, job: { name, progress } }) => (
      <>
        <State value={status} />
        {status === 'RUNNING' && (
          <JobProgress label={`Progress of ${name} in the nightly run`} progress={progress} />
        )}
      </>
    ),
  },
  { title: 'Last worked', cell: ({ job }) => <Time value={job.lastWorkedAt} /> },
]
