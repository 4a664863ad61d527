import { object, oneOf } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf, type Decide } from '../../../kernel/graph/transitions.ts'
import { proposeProvisioningTable, requireOtherProposer } from '../commands/provisioning-table.ts'
import { ProvisioningTableStatus } from '../model/enumerations.ts'
import {
  ProposeProvisioningTableInput,
  ProvisioningTable,
  provisioningTableStates,
} from '../model/provisioning-table.ts'
import {
  loadTable,
  provisioningTableKind,
  provisioningTables,
} from '../store/provisioning-table.ts'

/** The person who proposed a table cannot decide on it. */
const decide: Decide<ProvisioningTable> = async (decided, { context, before }) => {
  await requireOtherProposer(context, before)
  return decided
}

export const ProvisioningTableOperations = resolverOf({
  queries: {
    provisioningTable: lookup(ProvisioningTable, {
      description: 'Returns a provisioning table. Not available to delegated users.',
      scope: 'provisioning:read',
      isForBankOnly: true,
      find: loadTable,
    }),
    provisioningTables: listing(ProvisioningTable, {
      description:
        'Returns provisioning tables in the order in which they were proposed. Not available to ' +
        'delegated users.',
      scope: 'provisioning:read',
      isForBankOnly: true,
      filters: {
        status: oneOf(ProvisioningTableStatus, 'Returns only tables with this status.').orNull(),
      },
      ...provisioningTables,
    }),
  },
  mutations: {
    proposeProvisioningTable: operation({
      description:
        'Proposes the parameters from which expected credit losses are computed, with the ' +
        'management overlays. Another person has to approve them. Not available to delegated users.',
      scope: 'provisioning:write',
      returns: ProvisioningTable,
      args: { input: object(ProposeProvisioningTableInput, 'The table to propose.') },
      resolve: (context, { input }) => proposeProvisioningTable(context, input),
    }),
    ...transitionsOf<ProvisioningTable, typeof provisioningTableStates>(
      provisioningTableStates,
      changeOf(provisioningTableKind),
      {
        approveProvisioningTable: decide,
        rejectProvisioningTable: decide,
      },
    ),
  },
})
