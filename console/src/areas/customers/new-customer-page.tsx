import { SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { CreatePartyDocument, type PartyKind } from './queries.generated.ts'

const kinds = [
  { value: 'PERSON', label: 'Person' },
  { value: 'ORGANIZATION', label: 'Organization' },
]

/** The first step of onboarding: who the person is and how to reach the person. */
export function NewCustomerPage() {
  const navigate = useNavigate()
  return (
    <Page
      title="New customer"
      lead="First the person, then the identity check and the first account."
    >
      <Section title="Person">
        <CommandForm
          id="new-customer"
          mutation={CreatePartyDocument}
          initialValues={{
            kind: 'PERSON' as PartyKind,
            givenName: '',
            familyName: '',
            organizationName: '',
            dateOfBirth: '',
            address: '',
          }}
          validate={(values) => ({
            ...(values.kind === 'PERSON' &&
              !values.familyName.trim() && { familyName: 'Required.' }),
            ...(values.kind === 'ORGANIZATION' &&
              !values.organizationName.trim() && { organizationName: 'Required.' }),
          })}
          variables={({ kind, address, ...values }) => ({
            input: {
              kind,
              ...(kind === 'PERSON'
                ? given(values, ['givenName', 'familyName', 'dateOfBirth'])
                : given(values, ['organizationName'])),
              ...(address.trim() && {
                contactPoints: [{ channel: 'EMAIL' as const, address: address.trim() }],
              }),
            },
          })}
          submitLabel="Continue"
          onCancel={() => void navigate({ to: '/customers' })}
          onDone={({ createParty: { partyId } }) =>
            void navigate({ to: '/customers/$partyId', params: { partyId } })
          }
        >
          {(form) => (
            <Stack maw={480}>
              <SegmentedControl aria-label="Kind" data={kinds} {...form.getInputProps('kind')} />
              {form.values.kind === 'PERSON' ? (
                <>
                  <TextInput label="Given name" {...form.getInputProps('givenName')} />
                  <TextInput label="Family name" required {...form.getInputProps('familyName')} />
                  <TextInput
                    type="date"
                    label="Date of birth"
                    {...form.getInputProps('dateOfBirth')}
                  />
                </>
              ) : (
                <TextInput label="Name" required {...form.getInputProps('organizationName')} />
              )}
              <TextInput type="email" label="Email" {...form.getInputProps('address')} />
            </Stack>
          )}
        </CommandForm>
      </Section>
    </Page>
  )
}

/** Returns the values that were entered, without surrounding spaces. */
function given<Name extends string>(values: Record<Name, string>, names: readonly Name[]) {
  const entered = names.map((name) => [name, values[name].trim()] as const)
  return Object.fromEntries(entered.filter(([, value]) => value !== '')) as {
    [Each in Name]?: string
  }
}
