import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../../kernel/domain/model.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import * as commands from '../../commands/drawdowns/drawdown.ts'
import { previewDrawdown } from '../../commands/drawdowns/drawdown-request.ts'
import { CreateDrawdownInput, Drawdown, DrawdownPreview } from '../../model/drawdowns/drawdown.ts'
import { loadDrawdown } from '../../store/drawdowns/drawdown.ts'
import { drawdownOut, previewOut } from './drawdown-out.ts'

const drawdownId = id('The ID of the drawdown.')

export const DrawdownOperations = resolverOf({
  queries: {
    drawdownPreview: operation({
      description: 'Returns the effects that a drawdown would have. Nothing is stored.',
      scope: 'lending:read',
      returns: DrawdownPreview,
      args: { input: object(CreateDrawdownInput, 'The drawdown to preview.') },
      resolve: async (context, { input }) => previewOut(await previewDrawdown(context, input)),
    }),
    drawdown: lookup(Drawdown, {
      description: 'Returns a drawdown.',
      scope: 'lending:read',
      async find(context, id) {
        const found = await loadDrawdown(context, id)
        return drawdownOut(requireFound(found, 'DRAWDOWN_NOT_FOUND', id))
      },
    }),
  },
  mutations: {
    createDrawdown: operation({
      description:
        'Creates a drawdown. The drawdown is paid out immediately, or on its value date if that ' +
        'date is later. If the facility requires approval, the payout also waits for the approval.',
      scope: 'lending:write',
      returns: Drawdown,
      args: { input: object(CreateDrawdownInput, 'The drawdown to create.') },
      resolve: async (context, { input }) =>
        drawdownOut(await commands.createDrawdown(context, input)),
    }),
    approveDrawdown: operation({
      description:
        'Approves a requested drawdown. The drawdown is paid out immediately, or on its value ' +
        'date if that date is later. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Drawdown,
      args: { drawdownId },
      resolve: async (context, args) =>
        drawdownOut(await commands.approveDrawdown(context, args.drawdownId)),
    }),
    declineDrawdown: operation({
      description: 'Declines a requested drawdown. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Drawdown,
      args: {
        drawdownId,
        reasonCode: label('The reason why the drawdown is declined.').orNull(),
      },
      resolve: async (context, args) =>
        drawdownOut(await commands.declineDrawdown(context, args.drawdownId, args.reasonCode)),
    }),
    cancelDrawdown: operation({
      description: 'Cancels a drawdown that has not been paid out.',
      scope: 'lending:write',
      returns: Drawdown,
      args: { drawdownId },
      resolve: async (context, args) =>
        drawdownOut(await commands.cancelDrawdown(context, args.drawdownId)),
    }),
    reverseDrawdown: operation({
      description:
        'Reverses a drawdown that was paid out: the payout is reversed in the books, and the ' +
        'schedule is restored as if the drawdown had not been made. Not available to delegated ' +
        'users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Drawdown,
      args: { drawdownId },
      resolve: async (context, args) =>
        drawdownOut(await commands.reverseDrawdown(context, args.drawdownId)),
    }),
  },
})
