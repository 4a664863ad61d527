import { useState } from 'react'
import { Button, Menu, Stack } from '@mantine/core'
import { ProblemAlert } from './problem-alert.tsx'

export interface SavedFile {
  fileName: string
  mediaType: string
  content: BlobPart
}

interface FileChoice {
  label: string
  /** Reads the file; null or undefined if there is none, or if it was saved from its address. */
  load: () => Promise<SavedFile | null | undefined>
}

interface Props {
  label: string
  isDisabled?: boolean
  choices: readonly FileChoice[]
}

/** A button with a menu of files to save. */
export function FileDownload({ label, isDisabled = false, choices }: Props) {
  const [error, setError] = useState<Error>()
  const [isLoading, setIsLoading] = useState(false)
  async function save(load: FileChoice['load']) {
    setIsLoading(true)
    setError(undefined)
    try {
      const file = await load()
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
          <Button size="xs" variant="default" loading={isLoading} disabled={isDisabled}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((choice) => (
            <Menu.Item key={choice.label} onClick={() => void save(choice.load)}>
              {choice.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {error && <ProblemAlert error={error} />}
    </Stack>
  )
}

/** A file as the graph returns it. */
interface EncodedFile extends Omit<SavedFile, 'content'> {
  contentBase64: string
}

/** Returns a file to save; null or undefined if there is none. */
export function decoded(file: EncodedFile | null | undefined): SavedFile | null | undefined {
  if (!file) return file
  const { contentBase64, ...rest } = file
  const bytes = Uint8Array.from(atob(contentBase64), (character) => character.codePointAt(0)!)
  return { ...rest, content: bytes }
}

/** Saves the file at a signed address of the bank, under the name of the answer unless one is given. */
export function saveFromAddress(address: string, fileName = ''): void {
  const { pathname, search } = new URL(address)
  save(`${pathname}${search}`, fileName)
}

function saveFile({ fileName, mediaType, content }: SavedFile) {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }))
  save(url, fileName)
  URL.revokeObjectURL(url)
}

function save(href: string, fileName: string) {
  const link = document.createElement('a')
  link.href = href
  link.download = fileName
  link.click()
}
