import { join } from 'node:path'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { BucketConfig } from '../../../kernel/environment/provider-config.ts'
import type { ContentStore } from '../../../kernel/storage/content-store.ts'
import { openStore } from '../../../kernel/storage/open-store.ts'

/** The maximum size of the content of one document version, in bytes. */
export const maxContentBytes = 10 * 1024 * 1024

interface OpenStore {
  documents: BucketConfig | null
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
  const store = openStore(documents ?? join(dataDir, 'documents'), bank.environment)
  stores.set(bank, { documents, store })
  return store
}
