import { Autocomplete, Checkbox, Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { useSession } from '../../session/session.ts'
import { FileField } from './file-field.tsx'
import { AttachDocumentDocument, type RetentionClass } from './queries.generated.ts'

const retentionClasses: readonly RetentionClass[] = [
  'SHORT_TERM',
  'SERVICING',
  'COMPLAINT',
  'DUE_DILIGENCE',
  'CONTRACT',
]

const documentTypes = ['letter', 'identity', 'proof-of-income', 'contract', 'statement', 'other']

interface Values {
  uploadId: string
  fileName: string
  title: string
  documentType: string
  isShared: boolean
  retentionClass: string
}

const initialValues: Values = {
  uploadId: '',
  fileName: '',
  title: '',
  documentType: 'letter',
  isShared: false,
  retentionClass: '',
}

/** Where a document belongs: to a case, to a party, or to both. */
export interface DocumentOwner {
  caseId?: string | undefined
  partyId?: string | undefined
}

/** Sends a file and attaches it as a document. */
export function AttachForm({ owner, onClose }: { owner: DocumentOwner; onClose: () => void }) {
  const isEmployee = useSession().person.partyId === null
  const id = owner.caseId ?? owner.partyId ?? ''
  return (
    <CommandForm
      id={`attach:${id}`}
      mutation={AttachDocumentDocument}
      initialValues={initialValues}
      validate={({ uploadId, title, documentType }) => ({
        ...(!uploadId && { uploadId: 'Choose a file.' }),
        ...(!title.trim() && { title: 'Required.' }),
        ...(!documentType.trim() && { documentType: 'Required.' }),
      })}
      variables={({ uploadId, title, documentType, isShared, retentionClass }) => ({
        input: {
          ...owner,
          uploadId,
          title: title.trim(),
          documentType: documentType.trim(),
          ...(isEmployee && { isShared }),
          ...(isEmployee && retentionClass && { retentionClass: retentionClass as RetentionClass }),
        },
      })}
      fieldOfCode={{ UPLOAD_NOT_FOUND: 'uploadId', CONTENT_NOT_RECEIVED: 'uploadId' }}
      submitLabel="Attach"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <Stack>
          <FileField
            id={id}
            fileName={form.values.fileName}
            error={form.errors['uploadId']}
            onUploaded={({ uploadId, fileName }) =>
              form.setValues(({ title }) => ({
                uploadId,
                fileName,
                title: title || fileName.replace(/\.[^.]*$/, ''),
              }))
            }
          />
          <TextInput label="Title" required {...form.getInputProps('title')} />
          <Autocomplete
            label="Kind of document"
            required
            data={documentTypes}
            {...form.getInputProps('documentType')}
          />
          {isEmployee && <BankFields form={form} />}
        </Stack>
      )}
    </CommandForm>
  )
}

/** What only the bank decides: who reads the document, and how long it is kept. */
const BankFields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <Checkbox
      label="The customer can read it"
      {...form.getInputProps('isShared', { type: 'checkbox' })}
    />
    <Select
      label="Kept as"
      placeholder="As its case says"
      clearable
      clearButtonProps={{ 'aria-label': 'As its case says' }}
      data={retentionClasses.map((value) => ({ value, label: readable(value) }))}
      value={form.values.retentionClass || null}
      onChange={(value) => form.setFieldValue('retentionClass', value ?? '')}
    />
  </>
)
