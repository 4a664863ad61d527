import {
  Button,
  Fieldset,
  Group,
  Select,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import {
  emptyLine,
  errorsOf,
  inputOf,
  type EntryValues,
  type LineValues,
} from './journal-entry-values.ts'
import { PostingAccountsDocument, ProposeJournalEntryDocument } from './queries.generated.ts'

type Options = { value: string; label: string }[]

/** Proposes an adjustment of the general ledger, which another person posts. */
export function NewJournalEntryPage() {
  return (
    <Page
      title="New journal entry"
      lead="Another person posts it. It needs equal debits and credits."
    >
      <Section title="Journal entry">
        <PostingAccounts>{(accounts) => <EntryForm accounts={accounts} />}</PostingAccounts>
      </Section>
    </Page>
  )
}

interface PostingAccountsProps {
  /** The end of the previous pages; null for the first page. */
  after?: string | null
  /** The accounts of the previous pages. */
  previous?: Options
  children: (accounts: Options) => ReactNode
}

/** Reads all accounts that a person may book on, page by page, before it shows what needs them. */
const PostingAccounts = ({ after = null, previous = [], children }: PostingAccountsProps) => (
  <Query query={PostingAccountsDocument} variables={{ after }}>
    {({ generalLedgerAccounts }) => {
      if (!generalLedgerAccounts) return null
      const { nodes, pageInfo } = generalLedgerAccounts
      const accounts = nodes
        .filter(({ isActive, allowsManualEntries }) => isActive && allowsManualEntries)
        .map(({ accountNumber, name }) => ({
          value: accountNumber,
          label: `${accountNumber} ${name}`,
        }))
      const known = [...previous, ...accounts]
      if (!pageInfo.hasNextPage) return children(known)
      return (
        <PostingAccounts after={pageInfo.endCursor} previous={known}>
          {children}
        </PostingAccounts>
      )
    }}
  </Query>
)

function EntryForm({ accounts }: { accounts: Options }) {
  const { day = '' } = useSearch({ from: '/journal-entries/new' })
  const navigate = useNavigate()
  return (
    <CommandForm
      id="journal-entry"
      mutation={ProposeJournalEntryDocument}
      initialValues={
        {
          accountingDate: day,
          currency: 'EUR',
          description: '',
          lines: [emptyLine('DEBIT'), emptyLine('CREDIT')],
        } as EntryValues
      }
      validate={errorsOf}
      variables={(values) => ({ input: inputOf(values) })}
      fieldOf={(pointer) => pointer.replace(/^\/(input\/)?/, '').replaceAll('/', '.')}
      fieldOfCode={{ PERIOD_CLOSED: 'accountingDate' }}
      submitLabel="Propose the entry"
      onCancel={() => void navigate({ to: '/month-ends', search: { tab: 'entries' } })}
      onDone={({ proposeJournalEntry: { journalEntryId } }) =>
        void navigate({ to: '/journal-entries/$journalEntryId', params: { journalEntryId } })
      }
    >
      {(form) => <EntryFields form={form} accounts={accounts} />}
    </CommandForm>
  )
}

interface FieldsProps {
  form: UseFormReturnType<EntryValues>
  accounts: Options
}

const EntryFields = ({ form, accounts }: FieldsProps) => (
  <Stack maw={900}>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        type="date"
        label="Accounting date"
        description="In a month that is open or soft closed."
        required
        {...form.getInputProps('accountingDate')}
      />
      <TextInput
        label="Currency"
        description="Of all lines."
        required
        {...form.getInputProps('currency')}
      />
    </SimpleGrid>
    <TextInput label="Description" required {...form.getInputProps('description')} />
    <Fieldset legend="Lines">
      <Stack>
        {form.values.lines.map((_, index) => (
          <LineRow key={index} form={form} accounts={accounts} index={index} />
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => form.insertListItem('lines', emptyLine('DEBIT'))}
          >
            Add a line
          </Button>
        </div>
      </Stack>
    </Fieldset>
  </Stack>
)

function LineRow({ form, accounts, index }: FieldsProps & { index: number }) {
  const field = (name: keyof LineValues) => form.getInputProps(`lines.${index}.${name}`)
  return (
    <div className="list-item">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Select
          label="Account"
          searchable
          required
          limit={100}
          data={accounts}
          nothingFoundMessage="No account that can be booked by hand has this number or name."
          {...field('accountNumber')}
        />
        <TextInput label="Amount" inputMode="decimal" required {...field('amount')} />
        <TextInput
          label="Internal account"
          placeholder="Own ledger account"
          {...field('internalAccountCode')}
        />
      </SimpleGrid>
      <Group justify="space-between" mt="xs">
        <SegmentedControl
          size="xs"
          aria-label="Side"
          data={[
            { value: 'DEBIT', label: 'Debit' },
            { value: 'CREDIT', label: 'Credit' },
          ]}
          {...field('side')}
        />
        {form.values.lines.length > 2 && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            onClick={() => form.removeListItem('lines', index)}
          >
            Remove the line
          </Button>
        )}
      </Group>
    </div>
  )
}
