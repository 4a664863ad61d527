import { CommandForm } from '../../parts/command-form.tsx'
import { FileField } from './file-field.tsx'
import { AddDocumentVersionDocument } from './queries.generated.ts'

/** Adds a file as the newest version of a document. */
export const VersionForm = ({
  documentId,
  onClose,
}: {
  documentId: string
  onClose: () => void
}) => (
  <CommandForm
    id={`version:${documentId}`}
    mutation={AddDocumentVersionDocument}
    initialValues={{ uploadId: '', fileName: '' }}
    validate={({ uploadId }) => (uploadId ? {} : { uploadId: 'Choose a file.' })}
    variables={({ uploadId }) => ({ input: { documentId, uploadId } })}
    fieldOfCode={{ UPLOAD_NOT_FOUND: 'uploadId', CONTENT_NOT_RECEIVED: 'uploadId' }}
    submitLabel="Add the version"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <FileField
        id={documentId}
        fileName={form.values.fileName}
        error={form.errors['uploadId']}
        onUploaded={(file) => form.setValues(file)}
      />
    )}
  </CommandForm>
)
