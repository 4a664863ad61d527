import { bankCaller, requireBank } from '../../../kernel/authorization/auth.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { requireSegments } from '../domain/table-rules.ts'
import type {
  ProposeProvisioningTableInput,
  ProvisioningTable,
} from '../model/provisioning-table.ts'
import { provisioningTableKind } from '../store/provisioning-table.ts'

/**
 * Proposes a table, which another person has to approve. Throws NOT_FOR_DELEGATED_USERS,
 * PROVISIONING_TABLE_INVALID and RESOURCE_EXISTS.
 */
export async function proposeProvisioningTable(
  context: Context,
  input: ProposeProvisioningTableInput,
): Promise<ProvisioningTable> {
  requireBank(context)
  const { provisioningTableId, effectiveFrom, reason } = input
  const operation = 'proposeProvisioningTable'
  return createRecord(
    context,
    provisioningTableKind,
    operation,
    input,
    provisioningTableId,
    (stamp) => ({
      record: {
        ...versioned(stamp),
        provisioningTableId: stamp.id,
        effectiveFrom,
        status: 'proposed',
        segments: requireSegments(input.segments),
        reason,
        proposedBy: context.caller.subject,
        decidedBy: null,
        decidedAt: null,
      },
    }),
  )
}

/** Checks that the caller did not propose the table. Throws SEGREGATION_OF_DUTIES. */
export async function requireOtherProposer(
  context: Context,
  table: ProvisioningTable,
): Promise<void> {
  // The fixtures of the sandbox are part of the program and are reviewed with its code.
  if (context.caller === bankCaller) return
  const { provisioningTableId: resourceId, proposedBy } = table
  const detail = 'The person who proposed a provisioning table cannot decide on it.'
  await requireAnotherPerson(context, [proposedBy], { resourceId, detail })
}
