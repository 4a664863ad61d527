import { useQuery } from '@apollo/client/react'
import { Badge, Button, Group, Modal, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatSize, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { AttachForm } from './attach-form.tsx'
import { DownloadButton } from './download-button.tsx'
import { DocumentsDocument, type DocumentPartsFragment } from './queries.generated.ts'

const columns: readonly Column<DocumentPartsFragment>[] = [
  {
    title: 'Document',
    cell: ({ documentId, title, latest }) => (
      <>
        <AppLink to="/documents/$documentId" params={{ documentId }}>
          {title}
        </AppLink>
        <Text size="sm" c="dimmed" className="address">
          {latest.fileName}, {formatSize(latest.sizeBytes)}
        </Text>
      </>
    ),
  },
  { title: 'Kind', cell: ({ documentType }) => readable(documentType) },
  {
    title: 'Status',
    cell: ({ status, legalHold }) => (
      <Group gap={4}>
        <State value={status} />
        {legalHold && (
          <Badge color="orange" variant="light" className="state">
            Legal hold
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Version', isNumeric: true, cell: ({ latest }) => latest.number },
  { title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
  {
    title: 'File',
    cell: ({ documentId, status, latest, title }) =>
      status === 'ACTIVE' && (
        <DownloadButton documentId={documentId} number={latest.number} title={title} />
      ),
  },
]

interface DocumentListProps {
  caseId?: string
  partyId?: string
  canAttach?: boolean
}

/** The documents of a case or a party, and the way to add one. */
export function DocumentList({ caseId, partyId, canAttach = true }: DocumentListProps) {
  const { documents: after, dialog } = useSearch({ strict: false })
  const navigate = useNavigate()
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(DocumentsDocument, {
    variables: { caseId: caseId ?? null, partyId: partyId ?? null, after: after ?? null },
  })
  const change = (values: { documents?: string | undefined; dialog?: string | undefined }) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...values }), resetScroll: false })
  const close = () => change({ dialog: undefined })
  const isAllowed = canAttach && may('cases:write')
  return (
    <Section
      title="Documents"
      actions={
        isAllowed && (
          <Button size="xs" variant="light" onClick={() => change({ dialog: 'attach' })}>
            Add a document
          </Button>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Documents"
        connection={(data ?? previousData)?.documents}
        columns={columns}
        keyOf={({ documentId }) => documentId}
        after={after}
        onPage={(cursor) => change({ documents: cursor })}
        empty={
          isAllowed
            ? 'There are no documents yet. Add a letter, a proof or a contract.'
            : 'There are no documents.'
        }
      />
      <Modal opened={isAllowed && dialog === 'attach'} onClose={close} title="Add a document">
        <AttachForm owner={caseId ? { caseId } : { partyId }} onClose={close} />
      </Modal>
    </Section>
  )
}
