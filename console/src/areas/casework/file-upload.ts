import { useCallback, useState } from 'react'
import { useCommand } from '../../graph/command.ts'
import { HttpError, Obstacle } from '../../graph/problem.ts'
import { formatSize } from '../../parts/format.ts'
import { NoAnswer } from '../../session/errors.ts'
import { RequestUploadDocument } from './queries.generated.ts'

/** A file that the bank received, and that a document can refer to within an hour. */
export interface UploadedFile {
  uploadId: string
  fileName: string
}

interface FileUpload {
  /** The part of the file that was sent, in percent; null if nothing is being sent. */
  percent: number | null
  error: unknown
  send: (file: File) => Promise<UploadedFile | null>
}

/** Sends a file to the bank in two steps: the graph issues an address, and the file is put there. */
export function useFileUpload(id: string): FileUpload {
  const request = useCommand(RequestUploadDocument, `upload:${id}`)
  const [percent, setPercent] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const { run } = request
  const send = useCallback(
    async (file: File): Promise<UploadedFile | null> => {
      setError(null)
      setPercent(0)
      try {
        const mediaType = file.type || 'application/octet-stream'
        const result = await run({ input: { fileName: file.name, mediaType } })
        if ('error' in result) throw result.error
        const { uploadId, url, maxBytes } = result.data.requestDocumentUpload
        if (file.size > maxBytes) throw tooLarge(file, maxBytes)
        await put(url, file, mediaType, setPercent)
        return { uploadId, fileName: file.name }
      } catch (failure) {
        setError(failure)
        return null
      } finally {
        setPercent(null)
      }
    },
    [run],
  )
  return { percent, error, send }
}

function tooLarge({ name, size }: File, maxBytes: number) {
  const max = formatSize(Math.floor(maxBytes / 1_000_000) * 1_000_000)
  return new Obstacle(
    'The file is too large',
    `“${name}” has ${formatSize(size)}, and the bank accepts at most ${max}. Choose a smaller file.`,
  )
}

/** `fetch` reports no progress of an upload, so the older interface is used. */
const put = (
  url: string,
  file: File,
  mediaType: string,
  onPercent: (percent: number) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { pathname, search } = new URL(url)
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onPercent(Math.round((100 * loaded) / total)),
    )
    request.addEventListener('load', () => {
      if (request.status === 201) resolve()
      else {
        const requestId = request.getResponseHeader('x-request-id')
        reject(new HttpError(request.status, request.responseText, requestId))
      }
    })
    request.addEventListener('error', () =>
      reject(new NoAnswer('The connection was lost while the file was sent. Choose it again.')),
    )
    request.open('PUT', `${pathname}${search}`)
    request.setRequestHeader('content-type', mediaType)
    request.send(file)
  })
