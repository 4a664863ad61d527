import { Group, Stack, Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { panelsAt } from '../../app/extensions.ts'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { Figure, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMay } from '../../session/session.ts'
import { AccountFees } from '../fees/account-fees.tsx'
import { AccountSteps } from './account-steps.tsx'
import { AccountEntries } from './account-entries.tsx'
import { BalanceChart } from './balance-chart.tsx'
import { Authorizations, Payments } from './payments.tsx'
import { SigningRule } from './signing-rule.tsx'
import { StandingOrders } from './standing-orders.tsx'
import { TermDeposits } from './term-deposits.tsx'
import { WriteOffs } from './write-offs.tsx'
import { AccountDocument, type AccountQuery } from './queries.generated.ts'

type Account = NonNullable<AccountQuery['accountArrangement']>

/** An account: its balances, their history, and its entries. */
export function AccountPage() {
  const { arrangementId } = useParams({ from: '/accounts/$arrangementId' })
  return (
    <Query query={AccountDocument} variables={{ arrangementId }}>
      {({ accountArrangement: account }) =>
        account ? <AccountDetails account={account} /> : <NotFound />
      }
    </Query>
  )
}

function AccountDetails({ account }: { account: Account }) {
  const { arrangementId, nickname, product, accountNumber, state } = account
  const may = useMay()
  const deposits = account.termDeposits ?? []
  const depositSubjects = deposits.map(({ termDepositId }) => `term-deposit/${termDepositId}`)
  useChanges([
    `arrangement/${arrangementId}`,
    `balance/${arrangementId}`,
    `overdraft-exposure/${arrangementId}`,
    ...depositSubjects,
  ])
  return (
    <Page
      subject={`arrangement/${arrangementId}`}
      title={nickname ?? product?.name ?? accountNumber}
      lead={
        <Group gap="sm">
          <span>{accountNumber}</span>
          <State value={state} />
        </Group>
      }
      actions={
        <>
          {state === 'ACTIVE' && may('postings:write') && (
            <LinkButton to="/accounts/$arrangementId/transfer" params={{ arrangementId }}>
              Send money
            </LinkButton>
          )}
          <AccountSteps account={account} />
        </>
      }
    >
      <Balances account={account} />
      <Overdrawn account={account} />
      <BalanceChart arrangementId={arrangementId} />
      <TermDeposits account={account} />
      <AccountTabs account={account} />
      <WriteOffs account={account} />
      <SigningRule arrangementId={arrangementId} currency={account.currency} />
      <AccountFacts account={account} />
      <Stack>
        {panelsAt('account.overview').map((Panel, index) => (
          <Panel key={index} arrangementId={arrangementId} />
        ))}
      </Stack>
    </Page>
  )
}

const tabs = [
  ['entries', 'Entries', AccountEntries],
  ['payments', 'Payments', Payments],
  ['standing-orders', 'Standing orders', StandingOrders],
  ['authorizations', 'Authorizations', Authorizations],
  ['fees', 'Fees', AccountFees],
] as const

function AccountTabs({ account: { arrangementId, openedAt } }: { account: Account }) {
  const { tab = 'entries' } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const may = useMay()
  if (!may('postings:read')) return <AccountEntries {...{ arrangementId, openedAt }} />
  const show = (value: string | null) =>
    void navigate({
      search: ({ days }) => ({ days, tab: value ?? undefined }),
      resetScroll: false,
    })
  return (
    <Tabs value={tab} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([value, , Content]) => (
        <Tabs.Panel key={value} value={value}>
          <Content {...{ arrangementId, openedAt }} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Balances({ account }: { account: Account }) {
  return (account.balances ?? []).map(
    ({ currency, committed, available, pendingIn, pendingOut }) => (
      <div className="figures" key={currency}>
        <Figure name="Balance" value={<Money value={{ amount: committed, currency }} />} />
        <Figure
          name="Available"
          value={<Money value={available ? { amount: available, currency } : null} />}
          hint={
            Number(account.overdraftLimit.amount) > 0 && (
              <>
                Including an overdraft of <Money value={account.overdraftLimit} />
              </>
            )
          }
        />
        <Figure
          name="Authorized debits"
          value={<Money value={{ amount: pendingOut, currency }} />}
        />
        <Figure
          name="Authorized credits"
          value={<Money value={{ amount: pendingIn, currency }} />}
        />
      </div>
    ),
  )
}

/** Since when the customer has owed by an overdraft, as of the last night. */
function Overdrawn({ account: { overdraftExposure: exposure } }: { account: Account }) {
  if (!exposure?.overdrawnSince) return null
  const { asOf, beyondLimit, overdrawnSince, beyondLimitSince, daysPastDue } = exposure
  return (
    <div className="figures">
      <Figure name="Overdrawn since" value={<Time value={overdrawnSince} />} />
      {beyondLimitSince && (
        <>
          <Figure
            name="Beyond the limit since"
            value={<Time value={beyondLimitSince} />}
            hint={
              <>
                By <Money value={beyondLimit} /> at the end of <Time value={asOf} />
              </>
            }
          />
          <Figure name="Days past due" value={daysPastDue} />
        </>
      )}
    </div>
  )
}

function AccountFacts({ account }: { account: Account }) {
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Holder', account.party?.displayName],
          ['Product', account.product?.name],
          ['Opened', <Time key="opened" value={account.openedAt} />],
          ['Blocked for', account.blockedFor && readable(account.blockedFor)],
          ['Reason of the state', account.stateReason],
          ['ID', <Id key="id" value={account.arrangementId} />],
        ]}
      />
    </Section>
  )
}
