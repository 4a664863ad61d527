import { useQuery } from '@apollo/client/react'
import { Button, Modal, Text } from '@mantine/core'
import { useDialog } from '../../parts/dialog.ts'
import { formatMonths, formatRate } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { FixedTermOffersDocument, type AccountQuery } from './queries.generated.ts'
import { TermDepositForm } from './term-deposit-form.tsx'
import { MaturityForm, WithdrawalForm } from './term-deposit-changes.tsx'

type Account = NonNullable<AccountQuery['accountArrangement']>
type Deposit = NonNullable<Account['termDeposits']>[number]

/** The term deposits of an account; nothing if its product offers no terms and it never had one. */
export function TermDeposits({ account }: { account: Account }) {
  const { product, state } = account
  const deposits = account.termDeposits ?? []
  const isTermAccount = product?.productClass === 'term-deposit'
  const { data } = useQuery(FixedTermOffersDocument, {
    variables: { productId: product?.productId ?? '' },
    skip: !isTermAccount,
  })
  const { dialog, open } = useDialog()
  const may = useMay()
  const canChange = useSession().person.partyId === null && may('accounts:write')
  const terms = data?.product?.depositInterest?.fixedTerms
  if (!terms && deposits.length === 0) return null
  const running = deposits.find(({ endedOn }) => endedOn === null)
  const canBegin = canChange && terms && !running && state === 'ACTIVE'
  const close = () => open()
  return (
    <Section
      title="Term deposits"
      description="While a deposit runs, nothing can be posted to the account."
      actions={
        <>
          {canBegin && <Button onClick={() => open('deposit')}>Deposit money</Button>}
          {canChange && running && (
            <>
              <Button variant="default" onClick={() => open('maturity')}>
                Change the maturity
              </Button>
              <Button variant="default" onClick={() => open('withdraw')}>
                Withdraw early
              </Button>
            </>
          )}
        </>
      }
    >
      {deposits.length === 0 ? (
        <Text c="dimmed">No money has been deposited for a term.</Text>
      ) : (
        <RowTable
          label="Term deposits"
          rows={deposits}
          columns={columns}
          keyOf={({ termDepositId }) => termDepositId}
        />
      )}
      <Modal
        opened={Boolean(canBegin) && dialog === 'deposit'}
        onClose={close}
        title="Deposit money"
      >
        {terms && <TermDepositForm account={account} terms={terms} onClose={close} />}
      </Modal>
      {canChange && running && (
        <>
          <Modal opened={dialog === 'maturity'} onClose={close} title="Change the maturity">
            <MaturityForm deposit={running} onClose={close} />
          </Modal>
          <Modal opened={dialog === 'withdraw'} onClose={close} title="Withdraw early">
            <WithdrawalForm deposit={running} onClose={close} />
          </Modal>
        </>
      )}
    </Section>
  )
}

const columns: readonly Column<Deposit>[] = [
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  {
    title: 'Term',
    cell: ({ months, annualRatePct }) => `${formatMonths(months)} at ${formatRate(annualRatePct)}`,
  },
  { title: 'From', cell: ({ startsOn }) => <Time value={startsOn} /> },
  { title: 'Until', cell: ({ endsOn, endedOn }) => <Time value={endedOn ?? endsOn} /> },
  { title: 'Deposit', isNumeric: true, cell: ({ principal }) => <Money value={principal} /> },
  { title: 'Interest', isNumeric: true, cell: ({ interest }) => <Money value={interest} /> },
  {
    title: 'Penalty',
    isNumeric: true,
    cell: ({ penalty }) => penalty && Number(penalty.amount) > 0 && <Money value={penalty} />,
  },
  { title: 'Paid out', isNumeric: true, cell: ({ paidOut }) => <Money value={paidOut} /> },
]
