import { useQuery } from '@apollo/client/react'
import {} from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State } from '../../parts/values.tsx'
import { AccountsDocument, type AccountsQuery } from './queries.generated.ts'

type Account = NonNullable<AccountsQuery['accountArrangements']>['nodes'][number]

const columns: readonly Column<Account>[] = [
  {
    title: 'Account',
    cell: ({ arrangementId, accountNumber }) => (
      <AppLink to="/accounts/$arrangementId" params={{ arrangementId }}>
        {accountNumber}
      </AppLink>
    ),
  },
  { title: 'Product', cell: ({ product, nickname }) => nickname ?? product?.name },
  { title: 'Holder', cell: ({ party }) => party?.displayName },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Balance', isNumeric: true, cell: (account) => balancesOf(account, 'committed') },
  { title: 'Available', isNumeric: true, cell: (account) => balancesOf(account, 'available') },
]

function balancesOf({ balances }: Account, kind: 'committed' | 'available') {
  return (balances ?? []).map((balance) => {
    const amount = balance[kind]
    return (
      <div key={balance.currency}>
        <Money value={amount ? { amount, currency: balance.currency } : null} />
      </div>
    )
  })
}

const states = ['ACTIVE', 'PENDING', 'BLOCKED', 'DORMANT', 'PENDING_CLOSURE', 'CLOSED']

/** The accounts of the bank, or those of a customer. */
export function AccountsPage() {
  const { after, state } = useSearch({ from: '/accounts' })
  const navigate = useNavigate({ from: '/accounts' })
  const { data, previousData, error, refetch } = useQuery(AccountsDocument, {
    variables: { state: state ?? null, after: after ?? null },
  })
  return (
    <Page title="Accounts">
      <Section
        title="All accounts"
        actions={
          <SelectFilter
            label="State"
            isLabelHidden
            all="All states"
            data={states.map((value) => ({ value: value.toLowerCase(), label: readable(value) }))}
            value={state}
            onChange={(value) => void navigate({ search: value ? { state: value } : {} })}
          />
        }
      >
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Accounts"
          connection={(data ?? previousData)?.accountArrangements}
          columns={columns}
          keyOf={({ arrangementId }) => arrangementId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="There are no such accounts."
        />
      </Section>
    </Page>
  )
}
