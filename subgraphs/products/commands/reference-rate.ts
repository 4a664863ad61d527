import { requireBank } from '../../../kernel/authorization/auth.ts'
import { Problem } from '../domain/problems.ts'
import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import type { OverdraftTerms } from '../../../kernel/domain/overdraft.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference, type ProblemCode } from '../../../kernel/domain/problem.ts'
import {
  referenceRateSubject,
  withFixings,
  type RateFixing,
} from '../../../kernel/domain/reference-rate.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { command } from '../../../kernel/writing/command.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { readReferenceRates } from '../../../kernel/writing/reference-rates.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { fixingChanges, newReferenceRate } from '../domain/reference-rate.ts'
import type {
  CreateReferenceRateInput,
  RecordReferenceRateFixingsInput,
  ReferenceRate,
} from '../model/reference-rate.ts'
import { findFixings, putFixings, referenceRateKind } from '../store/reference-rate.ts'

/**
 * Creates a reference rate. Repeating the request with the same ID and content returns the existing
 * one. Throws NOT_FOR_DELEGATED_USERS, RESOURCE_EXISTS, and whatever `newReferenceRate` throws.
 */
export function createReferenceRate(
  context: Context,
  request: CreateReferenceRateInput,
): Promise<ReferenceRate> {
  requireBank(context)
  const { referenceRateId } = request
  const operation = 'createReferenceRate'
  return createRecord(context, referenceRateKind, operation, request, referenceRateId, (stamp) => ({
    record: newReferenceRate(request, versioned(stamp)),
  }))
}

/**
 * Records or corrects fixings, all of them or none, and publishes them. Throws NOT_FOR_DELEGATED_USERS, REFERENCE_RATE_NOT_FOUND, and whatever `fixingChanges`
 * throws.
 */
export function recordReferenceRateFixings(
  context: Context,
  request: RecordReferenceRateFixingsInput,
): Promise<ReferenceRate> {
  requireBank(context)
  const { referenceRateId: resourceId, correctionReason = null } = request
  return command(context, 'recordReferenceRateFixings', request, async () => {
    const before = await referenceRateKind.find(context, resourceId)
    if (!before) throw new Problem('REFERENCE_RATE_NOT_FOUND', { resourceId })
    const now = context.now()
    const today = dateOf(now)
    const days = request.fixings.map(({ fixedOn }) => fixedOn)
    const recorded = await findFixings(context, resourceId, days)
    const stamp = { recordedBy: context.caller.subject, recordedAt: now, today }
    const changes = fixingChanges(request, recorded, stamp)
    if (changes.length === 0) return { result: before, resourceId }
    const after = { ...before, version: before.version + 1, updatedAt: now }
    const data = {
      referenceRateId: resourceId,
      fixings: changes.map((change) => ({
        fixedOn: change.after.fixedOn,
        ratePct: change.after.ratePct,
        replacedRatePct: change.before && change.before.ratePct,
      })),
      correctionReason,
    }
    const subject = referenceRateSubject(resourceId)
    const [fact] = await readHeldFacts(context, [subject])
    const published = (fact?.['fixings'] ?? []) as RateFixing[]
    const fixings = withFixings(published, data.fixings, today)
    const type = 'products.reference-rate.fixings-recorded'
    return {
      result: after,
      resourceId,
      // Each recording changes the row of the reference rate, so that no two commit concurrently.
      writes: [
        referenceRateKind.update(before, after),
        putFixings(changes.map((change) => change.after)),
      ],
      events: [{ type, subject, version: after.version, data, parties: [] }],
      facts: [{ subject, data: { validDays: before.validDays, fixings } }],
    }
  })
}

/** Checks that a reference rate exists. Throws REFERENCE_RATE_NOT_FOUND with a pointer. */
export async function requireReferenceRate(
  context: Context,
  referenceRateId: string,
  pointer: string,
): Promise<void> {
  if (await referenceRateKind.find(context, referenceRateId)) return
  throw missingReference('REFERENCE_RATE_NOT_FOUND', referenceRateId, pointer)
}

/**
 * Checks that the reference rates of deposit interest and of overdrafts, if there are any, have a
 * fixing by today. Throws REFERENCE_RATE_NOT_FOUND, REFERENCE_RATE_NOT_FIXED.
 */
export async function requireFixings(
  context: Context,
  terms: { depositInterest?: DepositInterest; overdraft?: OverdraftTerms },
): Promise<void> {
  for (const name of ['depositInterest', 'overdraft'] as const) {
    const { referenceRateId = null } = terms[name]?.floatingRate ?? {}
    if (referenceRateId === null) continue
    await requireFixing(context, referenceRateId, `/${name}/floatingRate/referenceRateId`)
  }
}

async function requireFixing(
  context: Context,
  referenceRateId: string,
  pointer: string,
): Promise<void> {
  await requireReferenceRate(context, referenceRateId, pointer)
  const rate = (await readReferenceRates(context, [referenceRateId])).get(referenceRateId)
  const today = dateOf(context.now())
  if (rate?.fixings.some(({ fixedOn }) => fixedOn <= today)) return
  const code: ProblemCode = 'REFERENCE_RATE_NOT_FIXED'
  const detail = `${referenceRateId} has no fixing for today or an earlier day. Record one first.`
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
