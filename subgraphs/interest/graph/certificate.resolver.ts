import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { DocumentFile, DocumentFormat } from '../../../kernel/graph/document-file.types.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { deposits } from '../commands/book.ts'
import { readCertificate } from '../commands/certificate.ts'
import { loadVisiblePosition } from '../commands/load-inputs.ts'
import type { AccountCertificate as CertificateRecord } from '../domain/certificate.ts'
import { certificateFile } from '../files/certificate-file.ts'
import { AccountCertificate } from '../model/certificate.ts'
import { AccountArrangementStub } from '../model/references.ts'

@Resolver(() => AccountArrangementStub)
export class ArrangementCertificateResolver {
  @Requires('accounts:read')
  @FieldResolver(() => AccountCertificate, {
    nullable: true,
    description:
      'The interest and the tax of the account in a calendar year, and its balance at the end.',
  })
  async annualCertificate(
    @Root() { arrangementId }: AccountArrangementStub,
    @Arg('year', () => Int, {
      description: 'The calendar year, from that of the opening to the current one.',
    })
    year: number,
    @Ctx() context: Context,
  ): Promise<AccountCertificate | null> {
    const position = await loadVisiblePosition(context, deposits, arrangementId)
    return position && certificateOut(await readCertificate(context, position, year))
  }
}

@Resolver(() => AccountCertificate)
export class AccountCertificateResolver {
  @FieldResolver(() => DocumentFile, { description: 'The certificate as a file.' })
  file(
    @Root() { certificate }: AccountCertificate,
    @Arg('format', () => DocumentFormat, { description: 'The format of the file.' })
    format: DocumentFormat,
    @Ctx() context: Context,
  ): Promise<DocumentFile> {
    return certificateFile(context, certificate, format)
  }
}

function certificateOut(certificate: CertificateRecord): AccountCertificate {
  const { year, position, grossMinor, taxMinor, overdraftMinor, balanceMinor, isFinal } =
    certificate
  const { arrangementId, currency } = position
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    arrangementId,
    year,
    interestCredited: money(grossMinor),
    taxWithheld: money(taxMinor),
    interestAfterTax: money(grossMinor - taxMinor),
    overdraftInterestCharged: money(overdraftMinor),
    closingBalance: money(balanceMinor),
    isFinal,
    certificate,
  }
}
