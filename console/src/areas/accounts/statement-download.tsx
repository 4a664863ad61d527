import { useState } from 'react'
import { Button, Menu, Stack } from '@mantine/core'
import { useApolloClient } from '@apollo/client/react'
import { useBusinessDate } from '../../app/environment.ts'
import { dayBefore } from '../../parts/days.ts'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { StatementFileDocument, type StatementFileQueryVariables } from './queries.generated.ts'

const formats = [
  { format: 'CSV', label: 'Spreadsheet (CSV)' },
  { format: 'CAMT_053', label: 'Accounting program (camt.053)' },
] as const
const days = 365

/** Saves the statement of the last year as a file. */
export function StatementDownload({ arrangementId }: { arrangementId: string }) {
  const client = useApolloClient()
  const to = useBusinessDate()
  const [error, setError] = useState<Error>()
  const [isLoading, setIsLoading] = useState(false)
  async function save(format: StatementFileQueryVariables['format']) {
    setIsLoading(true)
    setError(undefined)
    try {
      const { data } = await client.query({
        query: StatementFileDocument,
        variables: { arrangementId, from: dayBefore(to!, days), to: to!, format },
        fetchPolicy: 'network-only',
      })
      const file = data?.accountArrangement?.statement?.file
      if (file) saveFile(file)
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <Stack gap="xs">
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" loading={isLoading} disabled={!to}>
            Download statement
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map(({ format, label }) => (
            <Menu.Item key={format} onClick={() => void save(format)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {error && <ProblemAlert error={error} />}
    </Stack>
  )
}

function saveFile({
  fileName,
  mediaType,
  content,
}: Record<'fileName' | 'mediaType' | 'content', string>) {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}
