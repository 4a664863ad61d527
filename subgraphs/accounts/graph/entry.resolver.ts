import { Counterparty, AccountEntry, EntryExchange } from '../model/balance.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import type { BookedEntry } from '../../../ledger/entries.ts'
import { loadDescription } from '../store/entry-description.ts'

/**
 * Resolves the descriptive fields of entries. They are read in one batch per page, and only if the
 * query selects them.
 */
@Resolver(() => AccountEntry)
export class AccountEntryResolver {
  @FieldResolver(() => TextScalar, {
    nullable: true,
    description:
      'The remittance information of the posting. If there is none, the kind of posting, such as ' +
      '`Standing order`. A release or a reversal without remittance information of its own shows ' +
      'its kind and the remittance information of the original posting.',
  })
  async remittanceInformation(
    @Root() entry: BookedEntry,
    @Ctx() context: Context,
  ): Promise<string | null> {
    return (await loadDescription(context, entry))!.remittanceInformation
  }

  @FieldResolver(() => Counterparty, {
    description: 'The counterparty of the entry, with the details that the account holder may see.',
  })
  async counterparty(@Root() entry: BookedEntry, @Ctx() context: Context): Promise<Counterparty> {
    return (await loadDescription(context, entry))!.counterparty
  }

  @FieldResolver(() => EntryExchange, {
    nullable: true,
    description:
      'The currency exchange that the entry belongs to; null if the entry is not part of an ' +
      'exchange.',
  })
  async exchange(
    @Root() entry: BookedEntry,
    @Ctx() context: Context,
  ): Promise<EntryExchange | null> {
    return (await loadDescription(context, entry))!.exchange
  }
}
