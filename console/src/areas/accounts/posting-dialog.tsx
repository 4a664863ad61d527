import { Code, Group, Modal, Stack, Text } from '@mantine/core'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { readable } from '../../parts/format.ts'
import { PostingDocument, type PostingQuery } from './queries.generated.ts'

type Posting = NonNullable<PostingQuery['postingInstruction']>

/** A posting as its double entry: what was debited, what was credited, and that both are equal. */
export function PostingDialog({
  postingInstructionId,
  onClose,
}: {
  postingInstructionId: string
  onClose: () => void
}) {
  return (
    <Modal opened onClose={onClose} title="Posting" size="xl">
      <Query query={PostingDocument} variables={{ postingInstructionId }}>
        {({ postingInstruction: posting }) =>
          posting ? (
            <Stack>
              <PostingFacts posting={posting} />
              <DoubleEntry entries={posting.entries} />
            </Stack>
          ) : (
            <Text>You may not see this posting.</Text>
          )
        }
      </Query>
    </Modal>
  )
}

const PostingFacts = ({ posting }: { posting: Posting }) => (
  <Facts
    facts={[
      ['Type', readable(posting.type)],
      ['Status', <State key="status" value={posting.status} />],
      ['Booked', <Time key="booked" value={posting.bookedAt} />],
      ['Value date', <Time key="value" value={posting.valueDate} />],
      ['Remittance information', posting.remittanceInformation],
      ['ID', <Id key="id" value={posting.postingInstructionId} />],
    ]}
  />
)

const DoubleEntry = ({ entries }: { entries: Posting['entries'] }) => (
  <RowTable
    label="Double entry"
    rows={entries}
    columns={columns}
    keyOf={({ entryId }) => entryId}
  />
)

const columns: readonly Column<Posting['entries'][number]>[] = [
  {
    title: 'Account',
    cell: ({ arrangement, account, phase }) => (
      <Group gap="xs">
        {arrangement?.accountNumber ?? <Code>{account}</Code>}
        {phase !== 'COMMITTED' && <State value={phase} />}
      </Group>
    ),
  },
  {
    title: 'Debit',
    isNumeric: true,
    cell: (entry) => entry.side === 'DEBIT' && <Money value={entry} />,
  },
  {
    title: 'Credit',
    isNumeric: true,
    cell: (entry) => entry.side === 'CREDIT' && <Money value={entry} />,
  },
]
