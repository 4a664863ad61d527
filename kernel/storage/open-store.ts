import { join } from 'node:path'
import type { BucketConfig } from '../environment/provider-config.ts'
import type { ContentStore } from './content-store.ts'
import { diskStore } from './disk.ts'
import { s3Store } from './s3.ts'

/** Opens the store of an environment in a bucket, or in a folder for its path. */
export function openStore(place: BucketConfig | string, environment: string): ContentStore {
  return typeof place === 'string'
    ? diskStore(join(place, environment))
    : s3Store(place, `${environment}/`)
}
