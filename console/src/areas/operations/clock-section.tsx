import { useQuery } from '@apollo/client/react'
import { Alert, Group, List, Progress, Stack, Text } from '@mantine/core'
import { CommandButton } from '../../parts/command-button.tsx'
import { Section, Figure } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { AdvanceClockDocument, ClockDocument, type ClockQuery } from './queries.generated.ts'

type Advance = NonNullable<NonNullable<ClockQuery['environment']>['clockAdvance']>

const pollMs = 2000
const steps = [
  ['a day', 1, 0],
  ['a week', 7, 0],
  ['a month', 0, 1],
  ['three months', 0, 3],
] as const

/** The sandbox's clock: moving it forward makes interest accrue and installments fall due. */
export function ClockSection() {
  const { data, error, refetch } = useQuery(ClockDocument, { pollInterval: pollMs })
  const may = useMay()
  const environment = data?.environment
  const advance = environment?.clockAdvance
  const isRunning = advance?.status === 'RUNNING'
  return (
    <Section
      title="Clock"
      description="Time in the sandbox moves as fast as you like. The bank then does everything that became due."
    >
      {error && <ProblemAlert error={error} />}
      {environment ? (
        <Stack>
          <div className="figures">
            <Figure name="Business date" value={<Time value={environment.businessDate} />} />
            <Figure name="Bank time" value={<Time value={environment.now} />} />
          </div>
          {may('operations:manage') && (
            <Group>
              {steps.map(([label, days, months]) => {
                const to = later(environment.now, days, months)
                return (
                  <CommandButton
                    key={label}
                    id={`advance-clock:${label}`}
                    mutation={AdvanceClockDocument}
                    variables={{ to }}
                    disabled={isRunning}
                    variant="light"
                    onDone={() => void refetch()}
                  >
                    Advance {label}
                  </CommandButton>
                )
              })}
            </Group>
          )}
          {advance && <AdvanceProgress advance={advance} />}
        </Stack>
      ) : (
        !error && <Lines />
      )}
    </Section>
  )
}

/** Returns the instant some days and months after another one. */
function later(instant: string, days: number, months: number): string {
  const date = new Date(instant)
  date.setUTCMonth(date.getUTCMonth() + months, date.getUTCDate() + days)
  return date.toISOString()
}

function AdvanceProgress({ advance }: { advance: Advance }) {
  const { from, to, status, businessDate, waitingFor, failures } = advance
  const total = Date.parse(to) - Date.parse(from)
  const done = businessDate ? Date.parse(businessDate) - Date.parse(from) : 0
  const percent = status === 'COMPLETED' ? 100 : Math.max(0, Math.min(99, (100 * done) / total))
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text size="sm">
          Last move: <Time value={from} /> to <Time value={to} />
        </Text>
        <State value={status} />
      </Group>
      {status === 'RUNNING' && (
        <>
          <Progress value={percent} animated aria-label="Progress of the clock" />
          <Text size="sm" c="dimmed">
            {businessDate ? (
              <>
                Closed through <Time value={businessDate} />.
              </>
            ) : (
              'The bank begins to catch up.'
            )}
            {waitingFor.length > 0 &&
              ` ${waitingFor.length === 1 ? '1 job is' : `${waitingFor.length} jobs are`} still at work.`}
          </Text>
        </>
      )}
      {failures.length > 0 && (
        <Alert color="red" title="Some work failed">
          <List size="sm">
            {failures.map(({ job, code, detail }) => (
              <List.Item key={`${job} ${code} ${detail}`}>
                {job}: {detail}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  )
}
