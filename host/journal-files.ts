import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ConnectionCounter } from '../gateway/admission.ts'
import { Problem } from '../kernel/domain/problem.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import {
  journalFilesPath,
  openJournalFile,
  readJournalManifest,
  streamJournal,
} from '../subgraphs/general-ledger/commands/journal-file.ts'
import { journalFileNames } from '../subgraphs/general-ledger/domain/journal-file.ts'

/** The maximum number of journal files and manifests that a process reads at the same time. */
const maxDownloads = 4
/** The maximum number of them for each person, or client that acts for itself. */
const maxPerHolder = 2

/**
 * Serves journal files and their manifests at the signed URLs that the graph issues. A file is read
 * from the database while the client takes it. If reading fails, the connection is closed before the
 * end of the response, so that a file that was cut is not taken for a whole one. At most four are read
 * at the same time, and two for each person; further requests get RATE_LIMITED.
 */
export function serveJournalFiles(app: FastifyInstance, bank: Bank): void {
  const downloads = new ConnectionCounter()
  app.get(journalFilesPath, { exposeHeadRoute: false }, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const opened = openJournalFile(bank, token)
    reply.raw.once('close', enterDownload(downloads, opened.holder))
    const { fileName, mediaType } = journalFileNames(opened.accountingPeriodId, opened.format)
    void reply
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-store')
      .header('referrer-policy', 'no-referrer')
    if (opened.isManifest) {
      const manifest = await readJournalManifest(bank, opened, untilClientLeaves(reply))
      return reply.type('application/json').send(manifest)
    }
    return reply
      .type(mediaType)
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(Readable.from(streamJournal(bank, opened), { objectMode: false }))
  })
}

/** Adds a download, and returns the function that removes it. Throws RATE_LIMITED. */
function enterDownload(
  downloads: ConnectionCounter,
  holder: { clientId: string; subject: string } | null,
): () => void {
  const key = JSON.stringify([holder?.clientId, holder?.subject])
  const leaveHolder = downloads.enter(`holder ${key}`, maxPerHolder)
  try {
    const leaveProcess = downloads.enter('all', maxDownloads)
    return () => {
      leaveHolder()
      leaveProcess()
    }
  } catch (error) {
    leaveHolder()
    throw error
  }
}

/**
 * Returns a signal that is aborted when the client leaves. Until the response, nothing is sent for as
 * long as the journal takes to read, so the connection may be idle for longer than others.
 */
function untilClientLeaves({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.setTimeout(0)
  const left = new Problem('BAD_REQUEST', { detail: 'The client left before the response.' })
  raw.once('close', () => leaving.abort(left))
  return leaving.signal
}
