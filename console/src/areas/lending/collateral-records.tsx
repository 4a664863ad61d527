import { Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import {
  CreateCollateralDocument,
  InsureCollateralDocument,
  PerfectCollateralDocument,
  RecordLiquidationDocument,
} from './queries.generated.ts'

interface FormProps {
  collateralId: string
  currency: string
  onClose: () => void
}

const recorded = (message: string, onClose: () => void) => () => {
  notifications.show({ color: 'teal', message })
  onClose()
}

const types = [
  'real-estate',
  'vehicle',
  'cash-deposit',
  'securities',
  'receivables',
  'inventory',
  'equipment',
  'guarantee',
  'life-policy',
].map((value) => ({ value, label: readable(value) }))

/** Records an asset that is offered as collateral. */
export const NewCollateralForm = (props: {
  onClose: () => void
  onCreated: (collateralId: string) => void
}) => (
  <CommandForm
    id="new-collateral"
    mutation={CreateCollateralDocument}
    initialValues={{ collateralType: 'real-estate', description: '', partyId: '' }}
    variables={({ collateralType, description, partyId }) => ({
      input: {
        collateralType,
        ...(description.trim() && { description: description.trim() }),
        ...(partyId.trim() && { owners: [{ partyId: partyId.trim() }] }),
      },
    })}
    submitLabel="Record the collateral"
    onCancel={props.onClose}
    onDone={({ createCollateral }) => props.onCreated(createCollateral.collateralId)}
  >
    {(form) => (
      <Stack>
        <Select
          label="Type"
          description="It determines the haircut."
          data={types}
          allowDeselect={false}
          {...form.getInputProps('collateralType')}
        />
        <TextInput label="Description" {...form.getInputProps('description')} />
        <TextInput
          label="ID of the owner"
          description="Empty if the borrower of the facility owns it"
          {...form.getInputProps('partyId')}
        />
      </Stack>
    )}
  </CommandForm>
)

/** Records what makes the security interest enforceable against third parties. */
export const PerfectionForm = ({ collateralId, onClose }: FormProps) => (
  <CommandForm
    id={`perfect:${collateralId}`}
    mutation={PerfectCollateralDocument}
    initialValues={{ registry: '', reference: '', perfectedOn: '', expiresOn: '' }}
    validate={({ registry }) => (registry.trim() ? {} : { registry: 'Which register?' })}
    variables={({ registry, reference, perfectedOn, expiresOn }) => ({
      input: {
        collateralId,
        registry: registry.trim(),
        ...(reference.trim() && { reference: reference.trim() }),
        ...(perfectedOn && { perfectedOn }),
        ...(expiresOn && { expiresOn }),
      },
    })}
    submitLabel="Record the perfection"
    onCancel={onClose}
    onDone={recorded('Perfection recorded', onClose)}
  >
    {(form) => (
      <Stack>
        <TextInput
          label="Register or method"
          description="Such as a land register, or possession"
          required
          {...form.getInputProps('registry')}
        />
        <TextInput label="Reference" {...form.getInputProps('reference')} />
        <TextInput
          type="date"
          label="Perfected on"
          description="Empty for today"
          {...form.getInputProps('perfectedOn')}
        />
        <TextInput
          type="date"
          label="Valid until"
          description="Empty if it does not expire"
          {...form.getInputProps('expiresOn')}
        />
      </Stack>
    )}
  </CommandForm>
)

/** Records the insurance of collateral. */
export const InsuranceForm = ({ collateralId, onClose }: FormProps) => (
  <CommandForm
    id={`insure:${collateralId}`}
    mutation={InsureCollateralDocument}
    initialValues={{ insurer: '', policyNumber: '', expiresOn: '' }}
    validate={({ insurer, expiresOn }) => ({
      ...(!insurer.trim() && { insurer: 'Who insures it?' }),
      ...(!expiresOn && { expiresOn: 'Until when is it insured?' }),
    })}
    variables={({ insurer, policyNumber, expiresOn }) => ({
      input: {
        collateralId,
        insurer: insurer.trim(),
        ...(policyNumber.trim() && { policyNumber: policyNumber.trim() }),
        expiresOn,
      },
    })}
    submitLabel="Record the insurance"
    onCancel={onClose}
    onDone={recorded('Insurance recorded', onClose)}
  >
    {(form) => (
      <Stack>
        <TextInput label="Insurer" required {...form.getInputProps('insurer')} />
        <TextInput label="Number of the policy" {...form.getInputProps('policyNumber')} />
        <TextInput
          type="date"
          label="Insured until"
          required
          {...form.getInputProps('expiresOn')}
        />
      </Stack>
    )}
  </CommandForm>
)

/** Records the proceeds of a sale, which ends the collateral. */
export const ProceedsForm = ({ collateralId, currency, onClose }: FormProps) => (
  <CommandForm
    id={`proceeds:${collateralId}`}
    mutation={RecordLiquidationDocument}
    initialValues={{ amount: '' }}
    validate={({ amount }) => (isAmount(amount) ? {} : { amount: 'An amount such as 250000.' })}
    variables={({ amount }) => ({
      collateralId,
      proceeds: { amount: amountOf(amount), currency },
    })}
    submitLabel="Record the proceeds"
    onCancel={onClose}
    onDone={recorded('Proceeds recorded', onClose)}
  >
    {(form) => (
      <TextInput
        label={`Proceeds in ${currency}`}
        required
        inputMode="decimal"
        {...form.getInputProps('amount')}
      />
    )}
  </CommandForm>
)
