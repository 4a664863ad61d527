import { Card, Group, SimpleGrid, Text } from '@mantine/core'
import { LinkButton, AppLink } from '../../parts/links.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowList, type Row } from '../../parts/row-list.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { FacilityLink } from '../lending/facility-link.tsx'
import { PaymentsToSign } from './payments-to-sign.tsx'
import { CustomerHomeDocument, type CustomerHomeQuery } from './queries.generated.ts'

type Me = NonNullable<CustomerHomeQuery['me']>
type Account = NonNullable<Me['accounts']>[number]
type Customer = NonNullable<Me['customers']>[number]
type Application = NonNullable<Customer['loanApplications']>['nodes'][number]
type Loan = NonNullable<Customer['facilities']>['nodes'][number]

/** A customer's accounts, loans and applications. */
export function CustomerHome() {
  return (
    <Query query={CustomerHomeDocument} variables={{}}>
      {({ me, paymentsToSign }) => me && <Overview me={me} toSign={paymentsToSign?.nodes ?? []} />}
    </Query>
  )
}

interface OverviewProps {
  me: Me
  toSign: Parameters<typeof PaymentsToSign>[0]['payments']
}

function Overview({ me, toSign }: OverviewProps) {
  const accounts = me.accounts ?? []
  const customers = me.customers ?? []
  const loans = customers.flatMap(({ facilities }) => facilities?.nodes ?? [])
  const applications = customers.flatMap(({ loanApplications }) => loanApplications?.nodes ?? [])
  return (
    <Page
      title={`Hello, ${me.displayName.split(' ')[0]}`}
      tabTitle="Home"
      lead="Your accounts and loans at a glance."
    >
      <PaymentsToSign payments={toSign} />
      <Section title="Accounts">
        {accounts.length === 0 && <Empty>You have no account yet.</Empty>}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {accounts.map((account) => (
            <AccountCard key={account.arrangementId} account={account} />
          ))}
        </SimpleGrid>
      </Section>
      <Loans loans={loans} />
      {applications.length > 0 && (
        <Section title="Applications">
          <RowList rows={applications.map(applicationRow)} />
        </Section>
      )}
    </Page>
  )
}

function Loans({ loans }: { loans: readonly Loan[] }) {
  const canApply = useMay()('credit:submit')
  if (loans.length === 0 && !canApply) return null
  return (
    <Section
      title="Loans"
      actions={
        canApply && (
          <LinkButton to="/applications/new" size="xs" variant="light">
            Apply for a loan
          </LinkButton>
        )
      }
    >
      {loans.length === 0 ? (
        <Empty>You have no loan. Apply for one, and see at once what it would cost.</Empty>
      ) : (
        <RowList rows={loans.map(loanRow)} />
      )}
    </Section>
  )
}

const loanRow = (loan: Loan): Row => ({
  key: loan.facilityId,
  link: (
    <>
      <FacilityLink facility={loan} fw={600} />
      <State value={loan.state} />
    </>
  ),
  about: (
    <>
      {loan.nextInstallment && (
        <Text span size="sm" c="dimmed">
          <Money value={loan.nextInstallment.payment} /> due on{' '}
          <Time value={loan.nextInstallment.dueDate} />
        </Text>
      )}
      <Money value={loan.outstandingPrincipal} />
    </>
  ),
})

const applicationRow = (application: Application): Row => {
  const { applicationId, status, purpose, submittedAt, requestedAmount } = application
  return {
    key: applicationId,
    link: (
      <>
        <AppLink to="/applications/$applicationId" params={{ applicationId }} fw={600}>
          {purpose ?? 'Loan application'}
        </AppLink>
        <State value={status} />
      </>
    ),
    about: (
      <>
        {submittedAt && (
          <Text span size="sm" c="dimmed">
            Submitted on <Time value={submittedAt.slice(0, 10)} />
          </Text>
        )}
        <Money value={requestedAmount} />
      </>
    ),
  }
}

function AccountCard({ account }: { account: Account }) {
  const { arrangementId, nickname, product, accountNumber, state } = account
  const [balance] = account.balances ?? []
  return (
    <Card>
      <Group justify="space-between" wrap="nowrap">
        <AppLink to="/accounts/$arrangementId" params={{ arrangementId }} fw={600}>
          {nickname ?? product?.name ?? 'Account'}
        </AppLink>
        {state !== 'ACTIVE' && <State value={state} />}
      </Group>
      <Text size="sm" c="dimmed">
        {accountNumber}
      </Text>
      <Text fz={26} fw={650} mt="sm">
        {balance && <Money value={{ amount: balance.committed, currency: balance.currency }} />}
      </Text>
      {balance?.available && (
        <Text size="sm" c="dimmed">
          Available: <Money value={{ amount: balance.available, currency: balance.currency }} />
        </Text>
      )}
      <Group mt="md">
        <LinkButton
          to="/accounts/$arrangementId/transfer"
          params={{ arrangementId }}
          size="xs"
          variant="light"
        >
          Send money
        </LinkButton>
      </Group>
    </Card>
  )
}
