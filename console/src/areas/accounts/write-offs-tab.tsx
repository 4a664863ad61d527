import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { OverdraftWriteOffsDocument } from './queries.generated.ts'
import { writeOffColumns, type WriteOff } from './write-off-columns.tsx'

const account: Column<WriteOff> = {
  title: 'Account',
  cell: ({ arrangementId }) => (
    <AppLink to="/accounts/$arrangementId" params={{ arrangementId }}>
      {arrangementId}
    </AppLink>
  ),
}

/** The write-offs of overdrafts of all accounts. */
export function WriteOffsTab() {
  const { after } = useSearch({ from: '/arrears' })
  const navigate = useNavigate({ from: '/arrears' })
  useChangesOfType(['accounts.overdraft-write-off.*'])
  const { data, previousData, error, refetch } = useQuery(OverdraftWriteOffsDocument, {
    variables: { arrangementId: null, state: null, after: after ?? null },
  })
  return (
    <Section
      title="Write-offs of overdrafts"
      description="Two people write off an overdraft. What arrives later is recovered on the page of the account."
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Write-offs of overdrafts"
        connection={(data ?? previousData)?.overdraftWriteOffs}
        columns={[account, ...writeOffColumns]}
        keyOf={({ overdraftWriteOffId }) => overdraftWriteOffId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="No write-off was proposed. It is proposed on the page of an overdrawn account."
      />
    </Section>
  )
}
