import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney, readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { CreateTransferDocument, TransferAccountsDocument } from './queries.generated.ts'

/** Sends money from an account to an IBAN. */
export function TransferPage() {
  const { arrangementId } = useParams({ from: '/accounts/$arrangementId/transfer' })
  return (
    <Query query={TransferAccountsDocument} variables={{ arrangementId }}>
      {({ accountArrangement: account }) =>
        account ? (
          <Page title="Send money" lead={`From ${account.accountNumber}`}>
            <Section title="Transfer">
              <TransferForm
                arrangementId={arrangementId}
                currencies={(account.balances ?? []).map(({ currency }) => currency)}
              />
            </Section>
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

interface TransferFormProps {
  arrangementId: string
  currencies: readonly string[]
}

function TransferForm({ arrangementId, currencies }: TransferFormProps) {
  const navigate = useNavigate()
  const leave = () => navigate({ to: '/accounts/$arrangementId', params: { arrangementId } })
  return (
    <CommandForm
      id={`transfer:${arrangementId}`}
      mutation={CreateTransferDocument}
      initialValues={{
        creditorIban: '',
        creditorName: '',
        amount: '',
        currency: currencies[0] ?? 'EUR',
        remittanceInformation: '',
      }}
      validate={({ creditorIban, amount }) => ({
        ...(!creditorIban.trim() && { creditorIban: 'To which IBAN?' }),
        ...(!isAmount(amount) && { amount: 'An amount such as 12.50.' }),
      })}
      variables={({ creditorIban, creditorName, amount, currency, remittanceInformation }) => ({
        input: {
          debtorArrangementId: arrangementId,
          creditorIban: creditorIban.replaceAll(/\s/g, '').toUpperCase(),
          ...(creditorName.trim() && { creditorName: creditorName.trim() }),
          amount: { amount: amountOf(amount), currency },
          ...(remittanceInformation.trim() && {
            remittanceInformation: remittanceInformation.trim(),
          }),
        },
      })}
      fieldOfCode={{ INVALID_IBAN: 'creditorIban' }}
      submitLabel="Send money"
      onCancel={() => void leave()}
      onDone={({ createTransfer: payment }) => {
        if (payment) {
          notifications.show({
            color: 'teal',
            title: `Payment ${readable(payment.state).toLowerCase()}`,
            message: formatMoney(payment.amount),
          })
        }
        void leave()
      }}
    >
      {(form) => (
        <Stack maw={480}>
          <TextInput
            label="IBAN of the recipient"
            required
            {...form.getInputProps('creditorIban')}
          />
          <TextInput label="Name of the recipient" {...form.getInputProps('creditorName')} />
          <TextInput
            label="Amount"
            required
            inputMode="decimal"
            {...form.getInputProps('amount')}
          />
          {currencies.length > 1 && (
            <Select label="Currency" data={[...currencies]} {...form.getInputProps('currency')} />
          )}
          <Textarea
            label="Text for the recipient"
            maxLength={140}
            autosize
            {...form.getInputProps('remittanceInformation')}
          />
        </Stack>
      )}
    </CommandForm>
  )
}
