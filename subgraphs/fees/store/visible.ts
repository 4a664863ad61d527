import { idsGranted } from '../../../kernel/authorization/entitlements.ts'
import type { Context } from '../../../kernel/environment/context.ts'

/**
 * Returns the condition for records of accounts that are visible to the caller. The bank sees all. A
 * delegated user sees those of accounts that their party owns or may view.
 */
export async function visibleWhere(context: Context): Promise<object> {
  const { partyId } = context.caller
  if (partyId === null) return {}
  const grantedIds = await idsGranted(context, 'arrangement')
  return { OR: [{ partyId }, { arrangementId: { in: grantedIds } }] }
}
