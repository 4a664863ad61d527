import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { LinkButton, AppLink } from '../../parts/links.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { CustomerHomeDocument, type CustomerHomeQuery } from './queries.generated.ts'

type Me = NonNullable<CustomerHomeQuery['me']>
type Account = NonNullable<Me['accounts']>[number]
type Customer = NonNullable<Me['customers']>[number]
type Loan = NonNullable<Customer['facilities']>['nodes'][number]

/** A customer's accounts, loans and applications. */
export function CustomerHome() {
  return (
    <Query query={CustomerHomeDocument} variables={{}}>
      {({ me }) => me && <Overview me={me} />}
    </Query>
  )
}

function Overview({ me }: { me: Me }) {
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
          <Stack gap="sm">
            {applications.map(({ applicationId, status, requestedAmount }) => (
              <Group key={applicationId} justify="space-between">
                <Group gap="sm">
                  <AppLink to="/applications/$applicationId" params={{ applicationId }} fw={600}>
                    Loan application
                  </AppLink>
                  <State value={status} />
                </Group>
                <Money value={requestedAmount} />
              </Group>
            ))}
          </Stack>
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
      <Stack gap="sm">
        {loans.length === 0 && <Empty>You have no loan.</Empty>}
        {loans.map((loan) => (
          <Group key={loan.facilityId} justify="space-between">
            <Group gap="sm">
              <LoanLink loan={loan} />
              <State value={loan.state} />
            </Group>
            <Group gap="xl">
              <Text>
                Open: <Money value={loan.outstandingPrincipal} />
              </Text>
              {loan.nextInstallment && (
                <Text c="dimmed">
                  Next: <Money value={loan.nextInstallment.payment} /> on{' '}
                  <Time value={loan.nextInstallment.dueDate} />
                </Text>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

function LoanLink({ loan: { facilityId, kind } }: { loan: Loan }) {
  return kind === 'REVOLVING' ? (
    <AppLink to="/facilities/$facilityId" params={{ facilityId }} fw={600}>
      Credit line
    </AppLink>
  ) : (
    <AppLink to="/loans/$loanId" params={{ loanId: facilityId }} fw={600}>
      Loan
    </AppLink>
  )
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
          Pay
        </LinkButton>
      </Group>
    </Card>
  )
}
