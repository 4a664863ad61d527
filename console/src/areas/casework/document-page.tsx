import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatSize, readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { DownloadButton } from './download-button.tsx'
import {
  DocumentDocument,
  PlaceLegalHoldDocument,
  ReleaseLegalHoldDocument,
  type DocumentQuery,
} from './queries.generated.ts'
import { VersionForm } from './version-form.tsx'

type Document = NonNullable<DocumentQuery['document']>

/** A document: its versions, how long it is kept, and its legal hold. */
export function DocumentPage() {
  const { documentId } = useParams({ from: '/documents/$documentId' })
  return (
    <Query query={DocumentDocument} variables={{ documentId }}>
      {({ document: found }) =>
        found ? <Details key={documentId} document={found} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ document: each }: { document: Document }) {
  const { documentId, title, status } = each
  useChanges([`document/${documentId}`])
  return (
    <Page
      subject={`document/${documentId}`}
      title={title}
      lead={
        <Group gap="sm">
          <State value={status} />
          <Id value={documentId} />
        </Group>
      }
      actions={status === 'ACTIVE' && <Steps document={each} />}
    >
      <Stack gap="lg">
        <About document={each} />
        <Versions document={each} />
      </Stack>
      <Dialogs document={each} />
    </Page>
  )
}

function About({ document: each }: { document: Document }) {
  const { party, legalHold, isShared, retentionClass, eraseAt, documentType } = each
  const isEmployee = useSession().person.partyId === null
  return (
    <Section title="About">
      <Facts
        facts={[
          ['Kind', readable(documentType)],
          [
            'Case',
            each.case && (
              <AppLink key="case" to="/cases/$caseId" params={{ caseId: each.case.caseId }}>
                {each.case.title}
              </AppLink>
            ),
          ],
          ...(isEmployee
            ? ([
                ['Customer', party && <CustomerLink key="party" party={party} tab="documents" />],
                ['Visible to', isShared ? 'The customer and the bank' : 'The bank only'],
              ] as const)
            : []),
          ['Kept as', readable(retentionClass)],
          ['Erased from', eraseAt ? <Time key="erase" value={eraseAt} /> : 'After its case ends'],
          ...(legalHold
            ? ([
                ['Legal hold', legalHold.reason],
                ['Held by', legalHold.by],
                ['Held since', <Time key="held" value={legalHold.at} />],
              ] as const)
            : []),
        ]}
      />
    </Section>
  )
}

type Version = Document['versions'][number]

const columnsFor = ({ documentId, title, status }: Document): readonly Column<Version>[] => [
  { title: 'Version', cell: ({ number }) => number },
  {
    title: 'File',
    cell: ({ fileName, sizeBytes }) => (
      <span className="address">
        {fileName}, {formatSize(sizeBytes)}
      </span>
    ),
  },
  { title: 'Added', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'SHA-256',
    cell: ({ sha256 }) => (
      <span className="address">
        <Id value={sha256} />
      </span>
    ),
  },
  {
    title: 'Download',
    isTitleHidden: true,
    cell: ({ number }) =>
      status === 'ACTIVE' && (
        <DownloadButton
          documentId={documentId}
          number={number}
          title={`${title}, version ${number}`}
        />
      ),
  },
]

const Versions = ({ document: each }: { document: Document }) => (
  <Section title="Versions" description="The file of a version never changes.">
    <ConnectionTable
      label="Versions"
      connection={{ nodes: each.versions.toReversed(), pageInfo: { hasNextPage: false } }}
      columns={columnsFor(each)}
      keyOf={({ number }) => String(number)}
      empty="The document has no versions."
    />
  </Section>
)

function useDialog() {
  const { dialog } = useSearch({ from: '/documents/$documentId' })
  const navigate = useNavigate({ from: '/documents/$documentId' })
  const open = (name: string | undefined) =>
    void navigate({ search: { dialog: name } as { dialog?: string }, resetScroll: false })
  return { dialog, open }
}

function Steps({ document: { documentId, legalHold } }: { document: Document }) {
  const { open } = useDialog()
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  if (!may('cases:write')) return null
  return (
    <>
      {isEmployee && !legalHold && (
        <Button variant="default" onClick={() => open('hold')}>
          Place a legal hold
        </Button>
      )}
      {isEmployee && legalHold && (
        <CommandButton
          id={`release:${documentId}`}
          mutation={ReleaseLegalHoldDocument}
          variables={{ documentId }}
          variant="default"
        >
          Release the legal hold
        </CommandButton>
      )}
      <Button onClick={() => open('version')}>Add a version</Button>
    </>
  )
}

function Dialogs({ document: { documentId } }: { document: Document }) {
  const { dialog, open } = useDialog()
  const close = () => open(undefined)
  return (
    <>
      <Modal opened={dialog === 'version'} onClose={close} title="Add a version">
        <VersionForm documentId={documentId} onClose={close} />
      </Modal>
      <Modal opened={dialog === 'hold'} onClose={close} title="Place a legal hold">
        <CommandForm
          id={`hold:${documentId}`}
          mutation={PlaceLegalHoldDocument}
          initialValues={{ reason: '' }}
          validate={({ reason }) => (reason.trim() ? {} : { reason: 'Why must it be kept?' })}
          variables={({ reason }) => ({ input: { documentId, reason: reason.trim() } })}
          submitLabel="Place the hold"
          onCancel={close}
          onDone={close}
        >
          {(form) => (
            <Textarea
              label="Reason"
              description="The document is not erased until the hold is released."
              required
              autosize
              {...form.getInputProps('reason')}
            />
          )}
        </CommandForm>
      </Modal>
    </>
  )
}
