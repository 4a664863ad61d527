import { useQuery } from '@apollo/client/react'
import { Text } from '@mantine/core'
import { useBusinessDate } from '../../app/environment.ts'
import { formatMonth, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowList, type Row } from '../../parts/row-list.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  ReopeningsToApproveDocument,
  StaffHomeDocument,
  type StaffHomeQuery,
  type WaitingPeriodFragment,
} from './queries.generated.ts'

/** What waits for the employee: the oldest of each kind that the employee may decide. */
export function WaitingWork() {
  const may = useMay()
  const variables = {
    credit: may('credit:decide'),
    relief: may('lending:write'),
    staff: may('staff:approve'),
    toolCalls: may('assist:approve'),
    feeRefunds: may('fees:approve') && may('accounts:read'),
    writeOffs: may('accounts:write'),
    journalEntries: may('accounting:approve'),
    selfService: may('products:approve') && may('products:read'),
  }
  const reopenings = useReopenings(may('accounting:approve'))
  if (!Object.values(variables).includes(true)) return null
  return (
    <Section title="Waits for you" description="The oldest of each kind.">
      <Query query={StaffHomeDocument} variables={variables}>
        {(work) => {
          const rows = [...waitingIn(work), ...reopenings]
          return rows.length > 0 ? <RowList rows={rows} /> : <Empty>Nothing waits for you.</Empty>
        }}
      </Query>
    </Section>
  )
}

function waitingIn(work: StaffHomeQuery): Row[] {
  const applications = [...(work.submitted?.nodes ?? []), ...(work.inReview?.nodes ?? [])]
  const requests = [...(work.newRequests?.nodes ?? []), ...(work.openRequests?.nodes ?? [])]
  return [
    ...applications.map(applicationRow),
    ...requests.map(requestRow),
    ...(work.lossProposals?.nodes ?? []).map(lossRow),
    ...(work.employees?.nodes ?? []).map(employeeRow),
    ...(work.assistToolCallsToApprove?.nodes ?? []).map(toolCallRow),
    ...(work.feeCharges?.nodes ?? []).map(refundRow),
    ...(work.overdraftWriteOffs?.nodes ?? []).map(writeOffRow),
    ...(work.journalEntries?.nodes ?? []).map(entryRow),
    ...(work.selfServiceSettings?.nodes ?? []).map(settingRow),
  ]
}

/** The months of this year and the last one that somebody wants to reopen. */
function useReopenings(canApprove: boolean): Row[] {
  const year = Number(useBusinessDate()?.slice(0, 4) ?? 0)
  const { data } = useQuery(ReopeningsToApproveDocument, {
    variables: { year, formerYear: year - 1 },
    skip: !canApprove || year === 0,
  })
  return [...(data?.former ?? []), ...(data?.accountingPeriods ?? [])]
    .filter(({ reopeningProposedBy }) => reopeningProposedBy !== null)
    .map(periodRow)
}

type Nodes<Connection> = NonNullable<Connection> extends { nodes: (infer Node)[] } ? Node : never

function applicationRow(application: Nodes<StaffHomeQuery['submitted']>): Row {
  const { applicationId, status, requestedAmount, customer, decisionDueBy } = application
  return {
    key: applicationId,
    link: (
      <AppLink to="/applications/$applicationId" params={{ applicationId }} fw={600}>
        Loan application of {customer?.party?.displayName ?? 'a customer'}
      </AppLink>
    ),
    about: (
      <>
        <Money value={requestedAmount} />
        <State value={status} />
        <DueBy value={decisionDueBy} />
      </>
    ),
  }
}

function requestRow(request: Nodes<StaffHomeQuery['newRequests']>): Row {
  const { hardshipRequestId, type, status, decisionDueBy } = request
  return {
    key: hardshipRequestId,
    link: (
      <AppLink to="/hardship/$hardshipRequestId" params={{ hardshipRequestId }} fw={600}>
        Hardship request: {readable(type).toLowerCase()}
      </AppLink>
    ),
    about: (
      <>
        <State value={status} />
        <DueBy value={decisionDueBy} />
      </>
    ),
  }
}

function lossRow(loss: Nodes<StaffHomeQuery['lossProposals']>): Row {
  const { lossProposalId, action, amount, proposedBy } = loss
  return {
    key: lossProposalId,
    link: (
      <AppLink to="/arrears" search={{ tab: 'losses' }} fw={600}>
        {readable(action)} proposed by {proposedBy}
      </AppLink>
    ),
    about: <Money value={amount} />,
  }
}

function employeeRow(employee: Nodes<StaffHomeQuery['employees']>): Row {
  const { employeeId, name, proposedBy, proposedAt } = employee
  return {
    key: employeeId,
    link: (
      <AppLink to="/employees/$employeeId" params={{ employeeId }} fw={600}>
        Hiring of {name}, proposed by {proposedBy}
      </AppLink>
    ),
    about: (
      <Text size="sm" c="dimmed">
        <Time value={proposedAt} />
      </Text>
    ),
  }
}

function toolCallRow(call: Nodes<StaffHomeQuery['assistToolCallsToApprove']>): Row {
  const { toolCallId, name, requestedBy, expiresAt } = call
  return {
    key: toolCallId,
    link: (
      <AppLink to="/approvals" fw={600}>
        {readable(name)}, requested by an assistant{requestedBy && ` for ${requestedBy}`}
      </AppLink>
    ),
    about: <DueBy value={expiresAt} />,
  }
}

function refundRow(charge: Nodes<StaffHomeQuery['feeCharges']>): Row {
  const { feeChargeId, feeName, refundReason, amount } = charge
  return {
    key: feeChargeId,
    link: (
      <AppLink to="/fees" search={{ status: 'REFUND_PROPOSED' }} fw={600}>
        Refund of a fee: {feeName}
      </AppLink>
    ),
    about: (
      <>
        <Money value={amount} />
        <Text size="sm" c="dimmed">
          {refundReason}
        </Text>
      </>
    ),
  }
}

function writeOffRow(writeOff: Nodes<StaffHomeQuery['overdraftWriteOffs']>): Row {
  const { overdraftWriteOffId, arrangementId, proposedBy, amount } = writeOff
  return {
    key: overdraftWriteOffId,
    link: (
      <AppLink to="/accounts/$arrangementId" params={{ arrangementId }} fw={600}>
        Write-off of an overdraft proposed by {proposedBy}
      </AppLink>
    ),
    about: <Money value={amount} />,
  }
}

function entryRow(entry: Nodes<StaffHomeQuery['journalEntries']>): Row {
  const { journalEntryId, description, proposedBy, accountingDate } = entry
  return {
    key: journalEntryId,
    link: (
      <AppLink to="/journal-entries/$journalEntryId" params={{ journalEntryId }} fw={600}>
        Journal entry proposed by {proposedBy}: {description}
      </AppLink>
    ),
    about: (
      <Text size="sm" c="dimmed">
        <Time value={accountingDate} />
      </Text>
    ),
  }
}

function settingRow(setting: Nodes<StaffHomeQuery['selfServiceSettings']>): Row {
  const { selfServiceSettingId, productId, isAllowed, reason, proposedBy } = setting
  return {
    key: selfServiceSettingId,
    link: (
      <AppLink
        to="/products/$productId"
        params={{ productId }}
        search={{ tab: 'self-service' }}
        fw={600}
      >
        {isAllowed ? 'Start' : 'End'} of self-service for {productId}, proposed by {proposedBy}
      </AppLink>
    ),
    about: (
      <Text size="sm" c="dimmed">
        {reason}
      </Text>
    ),
  }
}

function periodRow(period: WaitingPeriodFragment): Row {
  const { accountingPeriodId, firstDay, reopeningProposedBy, reopeningReason } = period
  return {
    key: accountingPeriodId,
    link: (
      <AppLink to="/month-ends/$accountingPeriodId" params={{ accountingPeriodId }} fw={600}>
        Reopening of {formatMonth(firstDay)} proposed by {reopeningProposedBy}
      </AppLink>
    ),
    about: (
      <Text size="sm" c="dimmed">
        {reopeningReason}
      </Text>
    ),
  }
}

const DueBy = ({ value }: { value: string | null | undefined }) =>
  value ? (
    <Text size="sm" c="dimmed">
      Due by <Time value={value} />
    </Text>
  ) : null
