import { requireFound } from '../../../kernel/authorization/auth.ts'
import { connectionOf, date, instant } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { DocumentFile } from '../../../kernel/graph/document-file.types.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { Arrangement, arrangementId } from '../model/arrangement.ts'
import {
  AccountBalance,
  AccountEntry,
  AccountStatement,
  StatementFile,
  StatementFormat,
} from '../model/balance.ts'
import { loadArrangement } from '../store/arrangement.ts'
import { balanceOf, entriesOf, statementOf, type ReadStatement } from '../store/balance.ts'
import { statementFileOf, statementPdfOf } from '../files/statement-file.ts'

const asOfDescription =
  'The point in time of the balance: only entries that were booked by then are included. Later ' +
  'bookings do not change the result. Defaults to now.'
const valueDateDescription =
  'The value date of the balance: all entries with a value date up to and including this day ' +
  'are included, whenever they were booked.'

export const BalanceOperations = resolverOf({
  queries: {
    balance: operation({
      description:
        'Returns the balance of an account: the current balance, the balance at a point in time ' +
        '(`asOf`), or the balance by value date (`valueDate`). Send at most one of `asOf` and ' +
        '`valueDate`.',
      scope: 'accounts:read',
      returns: AccountBalance,
      args: {
        arrangementId,
        asOf: instant(asOfDescription).orNull(),
        valueDate: date(valueDateDescription).orNull(),
      },
      async resolve(context, { arrangementId: accountId, asOf, valueDate }) {
        const found = await loadArrangement(context, accountId)
        const arrangement = requireFound(found, 'ARRANGEMENT_NOT_FOUND', accountId)
        return balanceOf(context, arrangement, { asOf, valueDate })
      },
    }),
  },
})

@Resolver(() => Arrangement)
export class BalanceResolver {
  @FieldResolver(() => [AccountBalance], {
    description:
      'The balances of the account. The list has one element, in the currency of the account. ' +
      'Send at most one of `asOf` and `valueDate`.',
  })
  async balances(
    @Root() arrangement: Arrangement,
    @Arg('asOf', () => Date, { nullable: true, description: asOfDescription }) asOf: Date | null,
    @Arg('valueDate', () => LocalDateScalar, { nullable: true, description: valueDateDescription })
    valueDate: string | null,
    @Ctx() context: Context,
  ): Promise<AccountBalance[]> {
    return [await balanceOf(context, arrangement, { asOf, valueDate })]
  }

  @FieldResolver(() => connectionOf(AccountEntry), {
    description:
      'The entries of the account, each with the balance after it. The oldest entry is first by ' +
      'default.',
  })
  entries(
    @Root() arrangement: Arrangement,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Arg('newestFirst', () => Boolean, {
      defaultValue: false,
      description: 'Whether to list the newest entries first. Defaults to false.',
    })
    newestFirst: boolean,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'accountEntries',
      { arrangementId: arrangement.arrangementId, newestFirst },
      { first, after },
      (from, take) => entriesOf(context, arrangement, from?.[0], take, newestFirst),
      ({ sequence }) => [String(sequence)],
    )
  }

  @FieldResolver(() => AccountStatement, {
    description:
      'The statement of the account for a period of whole days (UTC). Fails with ' +
      '`LIMIT_EXCEEDED` if the period has more than 5,000 entries. A request can have at most 10 ' +
      'account statements; more fail with `LIMIT_EXCEEDED`.',
  })
  statement(
    @Root() arrangement: Arrangement,
    @Arg('from', () => LocalDateScalar, { description: 'The first day of the period.' })
    from: string,
    @Arg('to', () => LocalDateScalar, {
      description:
        'The last day of the period, inclusive: not before `from` and at most 366 days after it.',
    })
    to: string,
    @Ctx() context: Context,
  ): Promise<AccountStatement> {
    return statementOf(context, arrangement, from, to)
  }
}

@Resolver(() => AccountStatement)
export class StatementResolver {
  @FieldResolver(() => StatementFile, {
    description: 'The statement as a file, to save or to send to an accounting program.',
  })
  file(
    @Root() statement: ReadStatement,
    @Arg('format', () => StatementFormat, { description: 'The format of the file.' })
    format: StatementFormat,
    @Ctx() context: Context,
  ): Promise<StatementFile> {
    return statementFileOf(context, statement, format)
  }

  @FieldResolver(() => DocumentFile, {
    description:
      'The statement for people to read: a tagged PDF file that follows PDF/A-2a. A request can ' +
      'have at most 10 PDF files; more fail with `LIMIT_EXCEEDED`.',
  })
  pdf(@Root() statement: ReadStatement, @Ctx() context: Context): Promise<DocumentFile> {
    return statementPdfOf(context, statement)
  }
}
