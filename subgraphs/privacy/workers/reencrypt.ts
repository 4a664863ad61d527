import { vaultColumns } from '../../../kernel/environment/vault-columns.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { reencryptBatch, unfinishedColumns } from '../store/reencryption.ts'

const batchSize = 200
const maxBatchesPerRun = 50

/**
 * Encrypts the texts that the vault encrypted earlier with the current key, so that the former root
 * secrets can be removed. Continues where it stopped, and begins again when the key changes.
 */
export const reencrypt: Worker = {
  name: 'privacy.reencrypt',
  purpose: 'Encrypts secrets and conversations again after a rotation of the root secret.',
  everyMs: 60_000,
  async run(context, stopping) {
    const { bank } = context
    let batches = 0
    // A text that cannot be decrypted stops its own column only.
    return processEach(context, await unfinishedColumns(bank, vaultColumns()), async (column) => {
      let read = 0
      for (; batches < maxBatchesPerRun && !stopping?.aborted; batches++) {
        const done = await reencryptBatch(bank, column, batchSize)
        read += done
        if (done < batchSize) break
      }
      return read
    })
  },
}
