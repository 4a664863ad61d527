import { Badge, Code, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDate, formatMoney, formatTime, readable, type MoneyValue } from './format.ts'

/** An amount, aligned so that a column of amounts can be compared. */
export function Money({
  value,
  isSigned,
}: {
  value: MoneyValue | null | undefined
  isSigned?: boolean
}) {
  if (!value) return <Missing />
  const isNegative = value.amount.startsWith('-')
  const color = isSigned && !isNegative && Number(value.amount) !== 0 ? 'teal' : undefined
  return (
    <Text span inherit className="money" c={color}>
      {isSigned && color && '+'}
      {formatMoney(value)}
    </Text>
  )
}

/** A calendar date, or an instant with the time of day. */
export function Time({ value }: { value: string | null | undefined }) {
  if (!value) return <Missing />
  const text = value.length > 10 ? formatTime(value) : formatDate(value)
  return (
    <time dateTime={value} title={value}>
      {text}
    </time>
  )
}

/** An ID that can be copied with one click. */
export function Id({ value }: { value: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'} withArrow>
          <UnstyledButton onClick={copy} aria-label={`Copy ${value}`}>
            <Code>{value}</Code>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}

const goodStates =
  /^(active|applied|approve|pass|booked|posted|approved|completed|accepted|delivered|sent|passed|paid|fulfilled|succeeded|published|enabled|signed|perfected|settled|open|taken|verified|current|ok)$/i
const badStates =
  /^(decline|fail|declined|rejected|failed|blocked|suspended|closed|written.off|charged.off|defaulted|terminated|revoked|expired|deceased|returned|overdue|arrears|delinquent|canceled|cancelled|withdrawn|dead.lettered|disabled)$/i
const waitingStates =
  /^(pending|submitted|under.review|in.review|refer|draft|proposed|refund.proposed|queued|requested|in.progress|processing|running|waiting.*|referred|counter.offered|offered|planned|scheduled|authorized|retrying)$/i

/** Returns the color in which people see a state: done, failed, waiting, or none of these. */
export function colorOfState(state: string): string {
  if (goodStates.test(state)) return 'teal'
  if (badStates.test(state)) return 'red'
  return waitingStates.test(state) ? 'yellow' : 'gray'
}

/** The state of a record. Its color only repeats what the text says. */
export function State({ value }: { value: string }) {
  return (
    <Badge variant="light" color={colorOfState(value)} className="state">
      {readable(value)}
    </Badge>
  )
}

/** A value that does not exist. */
export const Missing = () => (
  <Text span inherit c="dimmed" aria-label="none">
    –
  </Text>
)

/** Names and values, such as the terms of a loan. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' || value === false ? (
              <Missing />
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
