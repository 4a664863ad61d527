import { join } from 'node:path'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { DocumentsConfig } from '../../../kernel/environment/provider-config.ts'
import type { ContentStore } from './content-store.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3.ts'

interface OpenStore {
  documents: DocumentsConfig | null
  store: ContentStore
}

const stores = new WeakMap<Bank, OpenStore>()

/**
 * Returns the content store of an environment: the bucket of `DOCUMENTS_URL` if configured,
 * otherwise the local disk. Do not store the result: the credentials of the bucket can change.
 */
export function contentsOf(bank: Bank): ContentStore {
  const { documents, dataDir } = bank.config
  const open = stores.get(bank)
  if (open?.documents === documents) return open.store
  const store = documents
    ? s3Store(documents, `${bank.environment}/`)
    : diskStore(join(dataDir, 'documents', bank.environment))
  stores.set(bank, { documents, store })
  return store
}
