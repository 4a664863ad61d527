import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { UnstyledButton, Text } from '@mantine/core'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { readable } from '../../parts/format.ts'
import { PostingDialog } from './posting-dialog.tsx'
import { StatementDownload } from './statement-download.tsx'
import { AccountEntriesDocument, type AccountEntriesQuery } from './queries.generated.ts'

type Entries = NonNullable<NonNullable<AccountEntriesQuery['accountArrangement']>['entries']>
type Entry = Entries['nodes'][number]

interface Props {
  arrangementId: string
  openedAt: string
}

/** The entries of an account with its running balance, the newest first. */
export function AccountEntries({ arrangementId, openedAt }: Props) {
  const { after, posting } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const { data, previousData, error, refetch } = useQuery(AccountEntriesDocument, {
    variables: { arrangementId, after: after ?? null },
  })
  const show = (id: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, posting: id }), resetScroll: false })
  return (
    <Section
      title="Entries"
      actions={<StatementDownload arrangementId={arrangementId} openedAt={openedAt} />}
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Entries"
        connection={(data ?? previousData)?.accountArrangement?.entries}
        columns={columnsOf(show)}
        keyOf={({ entryId }) => entryId}
        after={after}
        onPage={(cursor) =>
          void navigate({ search: (old) => ({ ...old, after: cursor }), resetScroll: false })
        }
        empty="Nothing was booked on this account yet."
      />
      {posting && <PostingDialog postingInstructionId={posting} onClose={() => show(undefined)} />}
    </Section>
  )
}

const columnsOf = (show: (postingInstructionId: string) => void): readonly Column<Entry>[] => [
  { title: 'Date', cell: ({ bookedAt }) => <Time value={bookedAt.slice(0, 10)} /> },
  {
    title: 'Description',
    cell: ({ postingInstructionId, remittanceInformation, counterparty, phase }) => (
      <UnstyledButton onClick={() => show(postingInstructionId)} className="link">
        {counterparty.name ?? remittanceInformation ?? 'Posting'}
        <Text size="sm" c="dimmed">
          {[counterparty.name && remittanceInformation, phase !== 'COMMITTED' && readable(phase)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </UnstyledButton>
    ),
  },
  {
    title: 'Amount',
    isNumeric: true,
    cell: ({ side, amount, currency }) => (
      <Money value={{ amount: side === 'DEBIT' ? `-${amount}` : amount, currency }} isSigned />
    ),
  },
  {
    title: 'Balance',
    isNumeric: true,
    cell: ({ balanceAfter, currency, phase }) =>
      phase === 'COMMITTED' && <Money value={{ amount: balanceAfter, currency }} />,
  },
]
