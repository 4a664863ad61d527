import 'reflect-metadata'
import { maySee, requireScope } from '../../kernel/authorization/auth.ts'
import type { Context } from '../../kernel/environment/context.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import '../../kernel/lifecycle/personal-data.ts'
import '../../ledger/personal-data.ts'
import './events.ts'
import './personal-data.ts'
import { DataExportOperations } from './graph/data-export.resolver.ts'
import { ErasureOperations, ErasureRequestResolver } from './graph/erasure.resolver.ts'
import { dataExports, readersOf } from './store/data-export.ts'
import { erasureRequests } from './store/erasure.ts'
import { reencrypt } from './workers/reencrypt.ts'
import { encryptStored } from './workers/encrypt.ts'
import { performErasures } from './workers/erase.ts'
import { eraseExpired, recordRelationshipEnds } from './workers/retention.ts'

/** The subgraph of the rights of persons over their data. */
export const privacy: Subgraph = {
  name: 'privacy',
  resolvers: [DataExportOperations, ErasureOperations, ErasureRequestResolver],
  types: [],
  references: {
    async DataExport({ dataExportId }: { dataExportId: string }, context: Context) {
      requireScope(context.caller, 'privacy:export')
      const found = await dataExports.load(context, dataExportId)
      return found && maySee(context.caller, readersOf(found)) ? found : null
    },
    ErasureRequest({ erasureRequestId }: { erasureRequestId: string }, context: Context) {
      requireScope(context.caller, 'privacy:read')
      return context.caller.partyId === null
        ? erasureRequests.load(context, erasureRequestId)
        : null
    },
  },
  workers: [recordRelationshipEnds, performErasures, eraseExpired, encryptStored, reencrypt],
}
