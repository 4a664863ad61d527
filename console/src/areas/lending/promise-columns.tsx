import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Rights } from './history-columns.tsx'
import { CancelPromiseToPayDocument, type PromisesToPayQuery } from './queries.generated.ts'

type PromiseToPay = NonNullable<
  NonNullable<PromisesToPayQuery['facility']>['promisesToPay']
>['nodes'][number]

export const promiseColumns = ({ canWrite }: Rights): readonly Column<PromiseToPay>[] => [
  { title: 'Made on', cell: ({ madeOn }) => <Time value={madeOn} /> },
  { title: 'Pay by', cell: ({ payBy }) => <Time value={payBy} /> },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Note', cell: ({ note }) => note },
  { title: 'Promised', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: 'Received', isNumeric: true, cell: ({ received }) => <Money value={received} /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: ({ promiseToPayId, status }) =>
      canWrite &&
      status === 'OPEN' && (
        <NotifyingButton
          size="compact-sm"
          variant="default"
          id={`cancel:${promiseToPayId}`}
          mutation={CancelPromiseToPayDocument}
          variables={{ promiseToPayId }}
          done="Promise canceled"
        >
          Cancel
        </NotifyingButton>
      ),
  },
]
