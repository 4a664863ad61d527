import { Select, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Query } from '../../parts/query.tsx'
import { AccountProductsDocument, OpenAccountDocument } from './queries.generated.ts'

/** The classes of products under which accounts are opened. */
const accountClasses = /current|savings|deposit|account/i

/** Opens an account for a customer. */
export function OpenAccountForm({
  customerId,
  onClose,
}: {
  customerId: string
  onClose: () => void
}) {
  const navigate = useNavigate()
  return (
    <Query query={AccountProductsDocument} variables={{}}>
      {({ products }) => {
        const offered = (products?.nodes ?? []).filter(({ productClass }) =>
          accountClasses.test(productClass),
        )
        return (
          <CommandForm
            id={`open-account:${customerId}`}
            mutation={OpenAccountDocument}
            initialValues={{ productId: offered[0]?.productId ?? '', nickname: '' }}
            validate={({ productId }) => (productId ? {} : { productId: 'Which product?' })}
            variables={({ productId, nickname }) => ({
              input: {
                customerId,
                productId,
                ...(nickname.trim() && { nickname: nickname.trim() }),
              },
            })}
            submitLabel="Open the account"
            onCancel={onClose}
            onDone={({ openAccountArrangement: account }) => {
              void navigate({
                to: '/accounts/$arrangementId',
                params: { arrangementId: account.arrangementId },
              })
            }}
          >
            {(form) => (
              <Stack>
                <Select
                  label="Product"
                  required
                  data={offered.map(({ productId, name }) => ({ value: productId, label: name }))}
                  {...form.getInputProps('productId')}
                />
                <TextInput label="Nickname" {...form.getInputProps('nickname')} />
              </Stack>
            )}
          </CommandForm>
        )
      }}
    </Query>
  )
}
