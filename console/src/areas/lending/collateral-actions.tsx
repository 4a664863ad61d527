import { Button, Menu, Modal } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMay } from '../../session/session.ts'
import type { Collateral } from './collateral.ts'
import { AllocationForm, ValuationForm } from './collateral-forms.tsx'
import { InsuranceForm, PerfectionForm, ProceedsForm } from './collateral-records.tsx'
import { CollateralStepForm, collateralSteps } from './collateral-steps.tsx'

const forms = {
  value: { title: 'Record a valuation', Form: ValuationForm },
  allocate: { title: 'Allocate to a facility', Form: AllocationForm },
  perfect: { title: 'Record the perfection', Form: PerfectionForm },
  insure: { title: 'Record the insurance', Form: InsuranceForm },
  proceeds: { title: 'Record the proceeds', Form: ProceedsForm },
} as const
type FormName = keyof typeof forms

const held: readonly FormName[] = ['value', 'perfect', 'insure']
const formsOf: Readonly<Record<Collateral['status'], readonly FormName[]>> = {
  PROPOSED: held,
  VALUED: ['allocate', ...held],
  ACTIVE: ['allocate', ...held],
  IMPAIRED: held,
  RELEASE_PENDING: held,
  LIQUIDATION: ['proceeds'],
  RELEASED: [],
  LIQUIDATED: [],
  REJECTED: [],
}

/** What an employee can record about collateral, and the steps of its life, in the current status. */
export function CollateralActions({ collateral }: { collateral: Collateral }) {
  const { collateralId, status, lendableValue } = collateral
  const may = useMay()
  const { dialog } = useSearch({ from: '/collateral/$collateralId' })
  const navigate = useNavigate({ from: '/collateral/$collateralId' })
  const open = (name: string | undefined) =>
    void navigate({ search: { dialog: name }, resetScroll: false })
  const close = () => open(undefined)
  const [first, ...others] = formsOf[status]
  const steps = collateralSteps.filter(({ from }) => from.includes(status))
  if (!may('collateral:write') || (!first && steps.length === 0)) return null
  const formName = formsOf[status].find((name) => name === dialog)
  const step = steps.find(({ name }) => name === dialog)
  const { title, Form } = forms[formName ?? 'value']
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((name) => (
            <Menu.Item key={name} onClick={() => open(name)}>
              {forms[name].title}
            </Menu.Item>
          ))}
          {others.length > 0 && steps.length > 0 && <Menu.Divider />}
          {steps.map(({ name, label, isDangerous }) => (
            <Menu.Item
              key={name}
              color={isDangerous ? 'red' : undefined}
              onClick={() => open(name)}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {first && <Button onClick={() => open(first)}>{forms[first].title}</Button>}
      <Modal
        opened={formName !== undefined || step !== undefined}
        onClose={close}
        title={step?.label ?? title}
      >
        {formName && (
          <Form
            collateralId={collateralId}
            currency={lendableValue?.currency ?? 'EUR'}
            onClose={close}
          />
        )}
        {step && <CollateralStepForm step={step} collateralId={collateralId} onClose={close} />}
      </Modal>
    </>
  )
}
