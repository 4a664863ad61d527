import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  Int,
  Resolver,
  Root,
} from '../../../../kernel/graph/decorators.ts'
import { DocumentFile, DocumentFormat } from '../../../../kernel/graph/document-file.types.ts'
import { LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import { readCertificate, readStatement } from '../../commands/statements/statement.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { certificateFile } from '../../files/certificate-file.ts'
import { statementFile } from '../../files/statement-file.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { FacilityCertificate, FacilityStatement } from '../../model/statements/statement.ts'
import { certificateOut, statementOut } from './statement-out.ts'

/**
 * Returns a resolver for the statements and certificates of a facility, which `Facility` and `Loan`
 * share.
 */
function statementsOf(type: Shape) {
  @Resolver(() => type)
  class StatementsResolver {
    @Requires('lending:read')
    @FieldResolver(() => FacilityStatement, {
      description:
        'The statement of the facility for a period of whole days (UTC). Fails with ' +
        '`LIMIT_EXCEEDED` if the period has more than 5,000 postings.',
    })
    async statement(
      @Root() facility: FacilityRecord,
      @Arg('from', () => LocalDateScalar, { description: 'The first day of the period.' })
      from: string,
      @Arg('to', () => LocalDateScalar, {
        description:
          'The last day of the period, inclusive: not before `from` and at most 366 days after it.',
      })
      to: string,
      @Ctx() context: Context,
    ): Promise<FacilityStatement> {
      return statementOut(await readStatement(context, facility, { from, to }))
    }

    @Requires('lending:read')
    @FieldResolver(() => FacilityCertificate, {
      description: 'What the borrower paid in a calendar year, and what was owed at its end.',
    })
    async annualCertificate(
      @Root() facility: FacilityRecord,
      @Arg('year', () => Int, {
        description: 'The calendar year, from that of the opening to the current one.',
      })
      year: number,
      @Ctx() context: Context,
    ): Promise<FacilityCertificate> {
      return certificateOut(await readCertificate(context, facility, year))
    }
  }
  return StatementsResolver
}

export const FacilityStatementsResolver = statementsOf(Facility)
export const LoanStatementsResolver = statementsOf(Loan)

@Resolver(() => FacilityStatement)
export class FacilityStatementResolver {
  @FieldResolver(() => DocumentFile, { description: 'The statement as a file.' })
  file(
    @Root() { statement }: FacilityStatement,
    @Arg('format', () => DocumentFormat, { description: 'The format of the file.' })
    format: DocumentFormat,
    @Ctx() context: Context,
  ): Promise<DocumentFile> {
    return statementFile(context, statement, format)
  }
}

@Resolver(() => FacilityCertificate)
export class FacilityCertificateResolver {
  @FieldResolver(() => DocumentFile, { description: 'The certificate as a file.' })
  file(
    @Root() { certificate }: FacilityCertificate,
    @Arg('format', () => DocumentFormat, { description: 'The format of the file.' })
    format: DocumentFormat,
    @Ctx() context: Context,
  ): Promise<DocumentFile> {
    return certificateFile(context, certificate, format)
  }
}
