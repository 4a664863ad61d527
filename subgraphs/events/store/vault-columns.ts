import { vaultColumn } from '../../../kernel/environment/vault-columns.ts'

/** The signing secrets of a webhook endpoint. */
export const endpointSecrets = vaultColumn({
  table: 'events.endpoint',
  column: 'secrets',
  key: 'endpoint_id',
  place: 'webhook-endpoint/{endpoint_id}',
  isList: true,
})
