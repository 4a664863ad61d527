import { NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import {
  AllocateCollateralDocument,
  ValueCollateralDocument,
  type ValuationMethod,
} from './queries.generated.ts'

interface FormProps {
  collateralId: string
  currency: string
  onClose: () => void
}

const methods = ['APPRAISAL', 'INDEX', 'PURCHASE_PRICE', 'MARKET_PRICE', 'SELF_DECLARED'].map(
  (value) => ({ value, label: readable(value) }),
)

/** Records what collateral is worth. */
export const ValuationForm = ({ collateralId, currency, onClose }: FormProps) => (
  <CommandForm
    id={`value:${collateralId}`}
    mutation={ValueCollateralDocument}
    initialValues={{ amount: '', method: 'APPRAISAL', valuer: '', valuationDate: '' }}
    validate={({ amount }) => (isAmount(amount) ? {} : { amount: 'An amount such as 250000.' })}
    variables={({ amount, method, valuer, valuationDate }) => ({
      input: {
        collateralId,
        marketValue: { amount: amountOf(amount), currency },
        method: method as ValuationMethod,
        ...(valuer.trim() && { valuer: valuer.trim() }),
        ...(valuationDate && { valuationDate }),
      },
    })}
    submitLabel="Record the valuation"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Valuation recorded' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <TextInput
          label={`Market value in ${currency}`}
          required
          inputMode="decimal"
          {...form.getInputProps('amount')}
        />
        <Select
          label="Method"
          data={methods}
          allowDeselect={false}
          {...form.getInputProps('method')}
        />
        <TextInput label="Valuer" {...form.getInputProps('valuer')} />
        <TextInput
          type="date"
          label="Valuation date"
          description="Empty for today"
          {...form.getInputProps('valuationDate')}
        />
      </Stack>
    )}
  </CommandForm>
)

/** Lets collateral secure a facility. */
export const AllocationForm = ({ collateralId, currency, onClose }: FormProps) => (
  <CommandForm
    id={`allocate:${collateralId}`}
    mutation={AllocateCollateralDocument}
    initialValues={{ facilityId: '', amount: '', rank: 1 as number | string }}
    validate={({ facilityId, amount }) => ({
      ...(!facilityId.trim() && { facilityId: 'Which facility?' }),
      ...(!isAmount(amount) && { amount: 'An amount such as 50000.' }),
    })}
    variables={({ facilityId, amount, rank }) => ({
      input: {
        collateralId,
        facilityId: facilityId.trim(),
        amount: { amount: amountOf(amount), currency },
        rank: Number(rank),
      },
    })}
    submitLabel="Allocate"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Collateral allocated' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <TextInput
          label="ID of the loan or credit line"
          required
          {...form.getInputProps('facilityId')}
        />
        <TextInput
          label={`Amount in ${currency}`}
          required
          inputMode="decimal"
          {...form.getInputProps('amount')}
        />
        <NumberInput
          label="Rank"
          description="Lower ranks are satisfied first"
          min={1}
          max={99}
          {...form.getInputProps('rank')}
        />
      </Stack>
    )}
  </CommandForm>
)
