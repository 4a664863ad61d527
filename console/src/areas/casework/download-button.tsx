import { useApolloClient } from '@apollo/client/react'
import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Obstacle } from '../../graph/problem.ts'
import { saveFromAddress } from '../../parts/file-download.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { DownloadAddressDocument } from './queries.generated.ts'

interface DownloadButtonProps {
  documentId: string
  number: number
  title: string
}

/** Saves the file of a version. Its address is requested at the click, because it soon expires. */
export function DownloadButton({ documentId, number, title }: DownloadButtonProps) {
  const client = useApolloClient()
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const download = async () => {
    setIsRunning(true)
    setError(null)
    try {
      const query = DownloadAddressDocument
      const variables = { documentId }
      const { data } = await client.query({ query, variables, fetchPolicy: 'network-only' })
      const versions = data?.document?.versions ?? []
      const address = versions.find((version) => version.number === number)?.download
      if (!address) throw new Obstacle('There is no file', 'The file was erased.')
      saveFromAddress(address.url)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <Stack gap="xs">
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={isRunning}
          onClick={() => void download()}
        >
          Download<span className="visually-hidden"> {title}</span>
        </Button>
      </div>
      {Boolean(error) && <ProblemAlert error={error} />}
    </Stack>
  )
}
