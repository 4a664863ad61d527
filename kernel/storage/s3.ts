import { S3mini, type AWSHeaders } from 's3mini'
import { Problem } from '../domain/problem.ts'
import type { BucketConfig } from '../environment/provider-config.ts'
import type { ContentStore } from './content-store.ts'

const requestTimeoutMs = 8000

/** Creates a store that keeps content in a bucket of Amazon S3 or a compatible service. */
export function s3Store(
  { endpoint, region, accessKeyId, secretAccessKey }: BucketConfig,
  prefix: string,
): ContentStore {
  const bucket = new S3mini({
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: requestTimeoutMs,
  })
  return {
    async put(key, bytes) {
      // With this condition, an existing object is never replaced. The cast is needed because the
      // library's type allows only x-amz- headers.
      const condition = { 'if-none-match': '*' } as unknown as AWSHeaders
      try {
        await bucket.putObject(prefix + key, bytes, undefined, undefined, condition)
        return true
      } catch (error) {
        const { status } = error as { status?: number }
        if (status === 412 || status === 409) return false
        throw unavailable(error)
      }
    },
    async get(key) {
      const found = await bucket.getObjectArrayBuffer(prefix + key).catch(throwUnavailable)
      return found && Buffer.from(found)
    },
    async delete(key) {
      await bucket.deleteObject(prefix + key).catch(throwUnavailable)
    },
  }
}

function throwUnavailable(error: unknown): never {
  throw unavailable(error)
}

function unavailable(cause: unknown): Problem {
  return new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause })
}
