import type { TypedDocumentNode } from '@apollo/client'
import { Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import {
  ImpairCollateralDocument,
  LiquidateCollateralDocument,
  RejectCollateralDocument,
  ReleaseCollateralDocument,
  RequestCollateralReleaseDocument,
  RestoreCollateralDocument,
  WithdrawCollateralReleaseDocument,
  type CollateralStatus,
  type ImpairCollateralMutationVariables,
} from './queries.generated.ts'

/** A change of the status of collateral, for which a reason may be given. */
export interface CollateralStep {
  name: string
  label: string
  from: readonly CollateralStatus[]
  mutation: TypedDocumentNode<unknown, ImpairCollateralMutationVariables>
  /** What the step means, in a sentence. */
  meaning: string
  isDangerous?: boolean
}

export const collateralSteps: readonly CollateralStep[] = [
  {
    name: 'reject',
    label: 'Reject',
    from: ['PROPOSED', 'VALUED'],
    mutation: RejectCollateralDocument,
    meaning: 'The bank does not take it as collateral.',
    isDangerous: true,
  },
  {
    name: 'impair',
    label: 'Mark as impaired',
    from: ['ACTIVE'],
    mutation: ImpairCollateralDocument,
    meaning: 'It no longer counts as coverage.',
  },
  {
    name: 'restore',
    label: 'Restore',
    from: ['IMPAIRED'],
    mutation: RestoreCollateralDocument,
    meaning: 'It counts as coverage again.',
  },
  {
    name: 'request-release',
    label: 'Request the release',
    from: ['ACTIVE', 'IMPAIRED'],
    mutation: RequestCollateralReleaseDocument,
    meaning: 'It counts as coverage until it is released.',
  },
  {
    name: 'withdraw-release',
    label: 'Withdraw the request',
    from: ['RELEASE_PENDING'],
    mutation: WithdrawCollateralReleaseDocument,
    meaning: 'It stays collateral.',
  },
  {
    name: 'release',
    label: 'Release',
    from: ['RELEASE_PENDING'],
    mutation: ReleaseCollateralDocument,
    meaning: 'It goes back to its owners. The facilities must stay covered without it.',
  },
  {
    name: 'liquidate',
    label: 'Start the sale',
    from: ['ACTIVE', 'IMPAIRED'],
    mutation: LiquidateCollateralDocument,
    meaning: 'It no longer counts as coverage. Record the proceeds after the sale.',
    isDangerous: true,
  },
]

interface StepFormProps {
  step: CollateralStep
  collateralId: string
  onClose: () => void
}

export const CollateralStepForm = ({ step, collateralId, onClose }: StepFormProps) => (
  <CommandForm
    id={`${step.name}:${collateralId}`}
    mutation={step.mutation}
    initialValues={{ reason: '' }}
    variables={({ reason }) => ({ collateralId, reason: reason.trim() || null })}
    submitLabel={step.label}
    isDangerous={step.isDangerous ?? false}
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: `${step.label}: done` })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">{step.meaning}</Text>
        <Textarea label="Reason" autosize {...form.getInputProps('reason')} />
      </Stack>
    )}
  </CommandForm>
)
