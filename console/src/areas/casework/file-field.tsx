import { FileInput, Progress, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { useFileUpload, type UploadedFile } from './file-upload.ts'

interface FileFieldProps {
  /** Distinguishes the field, such as `case_1`. */
  id: string
  fileName: string
  error?: ReactNode
  onUploaded: (file: UploadedFile) => void
}

/** A file that is sent as soon as it is chosen, with its progress. */
export function FileField({ id, fileName, error, onUploaded }: FileFieldProps) {
  const upload = useFileUpload(id)
  const choose = async (file: File | null) => {
    const uploaded = file && (await upload.send(file))
    if (uploaded) onUploaded(uploaded)
  }
  const isSending = upload.percent !== null
  return (
    <Stack gap="xs">
      <FileInput
        label="File"
        description="At most 10 MB"
        placeholder={fileName || 'Choose a file'}
        required
        leftSection={<IconUpload size={16} />}
        disabled={isSending}
        error={error}
        onChange={(file) => void choose(file)}
      />
      {isSending && (
        <Progress value={upload.percent!} aria-label="Progress of the upload" animated />
      )}
      <Text size="sm" c="dimmed" component="output">
        {isSending ? 'The file is being sent.' : fileName && `${fileName} was received.`}
      </Text>
      {Boolean(upload.error) && <ProblemAlert error={upload.error} />}
    </Stack>
  )
}
