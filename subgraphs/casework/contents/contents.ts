import { join } from 'node:path'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { ContentStore } from './content-store.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3.ts'

const stores = new WeakMap<Bank, ContentStore>()

/**
 * Returns the content store of an environment: the bucket of `DOCUMENTS_URL` if configured,
 * otherwise the local disk.
 */
export function contentsOf(bank: Bank): ContentStore {
  let store = stores.get(bank)
  if (!store) {
    const { documents, dataDir } = bank.config
    store = documents
      ? s3Store(documents, `${bank.environment}/`)
      : diskStore(join(dataDir, 'documents', bank.environment))
    stores.set(bank, store)
  }
  return store
}
