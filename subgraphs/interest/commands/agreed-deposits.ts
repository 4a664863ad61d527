import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { maturityOf, type EarlyWithdrawalTerms } from '../../../kernel/domain/fixed-terms.ts'
import type { MaturityInstruction } from '../../../kernel/domain/maturity-instruction.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Decision } from '../../../kernel/writing/command.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { notEnded } from '../domain/term-deposit.ts'
import { termDepositFact } from '../facts.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { insertDeposits, termDepositKind, termDepositTable } from '../store/term-deposit.ts'

/** The published fact of a term deposit that was opened with its account. */
interface AgreedDepositFact {
  termDepositId: string
  arrangementId: string
  settlementArrangementId: string
  partyId: string
  currency: string
  principalMinor: string
  months: number
  annualRatePct: string
  earlyWithdrawal: EarlyWithdrawalTerms | null
  maturityInstruction: MaturityInstruction
  startsOn: LocalDate
  openedBy: string
}

/**
 * Returns the decision that creates the term deposits that were opened with their accounts and do not
 * exist yet. Their money is in the accounts already, which are blocked.
 */
export async function decideAgreedDeposits(
  context: Context,
  arrangementIds: readonly string[],
): Promise<Required<Pick<Decision<void>, 'writes' | 'events' | 'facts'>>> {
  const subjects = arrangementIds.map((id) => `agreed-term-deposit/${id}`)
  const facts = (await readFacts(context, subjects)) as unknown as (AgreedDepositFact | null)[]
  const agreed = facts.filter((fact) => fact !== null)
  if (agreed.length === 0) return { writes: [], events: [], facts: [] }
  const ids = agreed.map(({ termDepositId }) => termDepositId)
  const where = { termDepositId: { in: ids } }
  const stored = await termDepositTable.findMany(context, { where })
  const storedIds = new Set(stored.map(({ termDepositId }) => termDepositId))
  const created = agreed
    .filter(({ termDepositId }) => !storedIds.has(termDepositId))
    .map((fact) => newDeposit(fact, context.now()))
  return {
    writes: insertDeposits(created),
    events: created.flatMap(
      (deposit) => publicationOf(termDepositKind, deposit, termDepositKind.created).events,
    ),
    facts: created.map(termDepositFact),
  }
}

function newDeposit({ principalMinor, ...fact }: AgreedDepositFact, now: Date): TermDeposit {
  const maturesOn = maturityOf(fact.startsOn, fact.months)
  return {
    ...fact,
    state: 'active',
    principalMinor: BigInt(principalMinor),
    maturesOn,
    endsOn: maturesOn,
    accruedBeforeMinor: 0n,
    previousTermDepositId: null,
    ...notEnded,
    contentHash: '',
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}
