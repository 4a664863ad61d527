import type { Context } from '../../../kernel/environment/context.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { endAllowances } from '../commands/end-allowances.ts'
import { checkLargeAllowances } from '../store/report.ts'

/** Uses the allowances of facilities that were charged off, and releases those that were repaid. */
export const endUnneededAllowances: Worker = {
  name: 'provisioning.end-allowances',
  purpose: 'Uses or releases the loss allowances of facilities that no longer have an exposure.',
  everyMs: 60_000,
  maxShare: 0.1,
  wakeOn: ['lending.facility.charged-off', 'lending.facility.paid-off'],
  run: endAllowances,
}

/** Checks the invariants of the allowances. Logs each violation that is found as an error. */
export const checkLossAllowances: Worker = {
  name: 'provisioning.check-allowances',
  purpose: 'Checks the loss allowances against their account in the ledger.',
  everyMs: 300_000,
  maxShare: 0.1,
  async run(context: Context, stopping?: AbortSignal): Promise<number> {
    for (const finding of await checkLargeAllowances(context, stopping)) {
      context.bank.log.error(finding, 'the loss allowances do not match the ledger')
    }
    return 0
  },
}
