import { loadedEncryptedColumns } from '../../../kernel/domain/encrypted-columns.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { areaOf } from '../../../kernel/environment/personal-cipher.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { columnsByTable } from '../domain/columns.ts'
import { readColumns } from '../store/columns.ts'
import {
  encryptBatch,
  readProgress,
  type Progress,
  type EncryptedTable,
} from '../store/encryption.ts'

const batchSize = 200
const maxBatchesPerRun = 50

/**
 * Changes the stored rows to what a write would store now: encrypts them when encryption is
 * switched on, encrypts them again after a rotation, and decrypts them when it is switched off.
 * Continues after the last row, and begins again when the target changes.
 */
export const encryptStored: Worker = {
  name: 'privacy.encrypt-stored',
  purpose: 'Encrypts stored personal data with the current keys, or decrypts it.',
  everyMs: 60_000,
  async run(context) {
    const { bank } = context
    await bank.dataKeys.followRootSecret()
    if (!bank.cipher.isOn && bank.cipher.isEmpty) return 0
    const unfinished = await unfinishedTables(bank)
    if (unfinished.size === 0) return 0
    let batches = 0
    // A value that cannot be decrypted stops its own table only.
    return processEach(context, await encryptedTables(bank), async (table) => {
      let changed = 0
      let progress = unfinished.get(table.table)
      while (progress && !progress.finishedAt && batches++ < maxBatchesPerRun) {
        const rows = await encryptBatch(bank, table, progress, batchSize)
        // A command held a lock for too long. The next pass repeats the batch.
        if (rows === null) batches = maxBatchesPerRun
        changed += rows ?? 0
        progress = (await readProgress(bank, [table.table])).get(table.table)
      }
      return changed
    })
  },
}

/** Returns how far the job is with the tables whose rows are not yet what they are to become. */
async function unfinishedTables(bank: Bank): Promise<Map<string, Progress>> {
  const tables = [...loadedEncryptedColumns().keys()]
  const known = await readProgress(bank, tables)
  const unfinished = new Map<string, Progress>()
  for (const table of tables) {
    const target = targetOf(bank, table)
    const progress = known.get(table)
    if (target === null) continue
    if (progress?.target !== target) unfinished.set(table, { target, after: [], finishedAt: null })
    else if (!progress.finishedAt) unfinished.set(table, progress)
  }
  return unfinished
}

/** Returns what the rows of a table become; null while the first key is not active. */
function targetOf({ cipher }: Bank, table: string): string | null {
  if (!cipher.isOn) return 'plain'
  const key = cipher.currentKey(areaOf(table))
  return key ? `${key.area}/${key.version}` : null
}

async function encryptedTables({ pool }: Bank): Promise<EncryptedTable[]> {
  const columns = columnsByTable(await readColumns(pool))
  return [...loadedEncryptedColumns()].map(([table, encrypted]) => {
    const own = columns.get(table) ?? []
    return {
      table,
      encrypted,
      keys: own.filter(({ isKey }) => isKey),
      columns: own.filter(({ name }) => encrypted.has(name)),
    }
  })
}
