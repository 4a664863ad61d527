import { Code, Group, Modal, Stack, Table, Text } from '@mantine/core'
import { Query } from '../../parts/query.tsx'
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

function DoubleEntry({ entries }: { entries: Posting['entries'] }) {
  return (
    <Table.ScrollContainer minWidth={480} type="native">
      <Table aria-label="Double entry">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Account</Table.Th>
            <Table.Th ta="right">Debit</Table.Th>
            <Table.Th ta="right">Credit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.entryId}>
              <Table.Td>
                <Group gap="xs">
                  {entry.arrangement?.accountNumber ?? <Code>{entry.account}</Code>}
                  {entry.phase !== 'COMMITTED' && <State value={entry.phase} />}
                </Group>
              </Table.Td>
              {(['DEBIT', 'CREDIT'] as const).map((side) => (
                <Table.Td key={side} ta="right">
                  {entry.side === side && <Money value={entry} />}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
