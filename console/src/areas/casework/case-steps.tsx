import { Button, Modal } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CommandButton } from '../../parts/command-button.tsx'
import { useSession } from '../../session/session.ts'
import { AssignForm } from './assign-form.tsx'
import {
  AskForm,
  LinkForm,
  ReopenForm,
  ResolveForm,
  WithdrawForm,
  type CaseFormProps,
} from './case-forms.tsx'
import {
  CloseCaseDocument,
  ResumeCaseDocument,
  StartCaseDocument,
  type CaseQuery,
} from './queries.generated.ts'

type Case = NonNullable<CaseQuery['case']>

const withdrawable = ['OPEN', 'IN_PROGRESS', 'WAITING_FOR_CUSTOMER']

const dialogs: Readonly<
  Record<string, { title: string; Form: (props: CaseFormProps) => ReactNode }>
> = {
  ask: { title: 'Ask the customer', Form: AskForm },
  resolve: { title: 'Resolve the case', Form: ResolveForm },
  reopen: { title: 'Reopen the case', Form: ReopenForm },
  withdraw: { title: 'Withdraw the case', Form: WithdrawForm },
  assign: { title: 'Assign the case', Form: AssignForm },
  link: { title: 'Link a record', Form: LinkForm },
}

/** The steps that the status of a case permits to the person. */
export function CaseSteps({ case: each }: { case: Case }) {
  const { caseId, status } = each
  const navigate = useNavigate({ from: '/cases/$caseId' })
  const isEmployee = useSession().person.partyId === null
  const open = (dialog: string) => () =>
    void navigate({ search: (old) => ({ ...old, dialog }), resetScroll: false })
  return (
    <>
      {withdrawable.includes(status) && (
        <Button variant="default" onClick={open('withdraw')}>
          Withdraw
        </Button>
      )}
      {isEmployee && status !== 'CLOSED' && status !== 'WITHDRAWN' && (
        <>
          <Button variant="default" onClick={open('link')}>
            Link a record
          </Button>
          <Button variant="default" onClick={open('assign')}>
            Assign
          </Button>
        </>
      )}
      {status === 'RESOLVED' && (
        <Button variant="default" onClick={open('reopen')}>
          Reopen
        </Button>
      )}
      {isEmployee && <StatusSteps caseId={caseId} status={status} open={open} />}
    </>
  )
}

interface StatusStepsProps {
  caseId: string
  status: Case['status']
  open: (dialog: string) => () => void
}

function StatusSteps({ caseId, status, open }: StatusStepsProps) {
  const variables = { caseId }
  return (
    <>
      {status === 'OPEN' && (
        <CommandButton id={`start:${caseId}`} mutation={StartCaseDocument} variables={variables}>
          Start
        </CommandButton>
      )}
      {status === 'IN_PROGRESS' && (
        <>
          <Button variant="default" onClick={open('ask')}>
            Ask the customer
          </Button>
          <Button onClick={open('resolve')}>Resolve</Button>
        </>
      )}
      {status === 'WAITING_FOR_CUSTOMER' && (
        <CommandButton id={`resume:${caseId}`} mutation={ResumeCaseDocument} variables={variables}>
          Resume
        </CommandButton>
      )}
      {status === 'RESOLVED' && (
        <CommandButton id={`close:${caseId}`} mutation={CloseCaseDocument} variables={variables}>
          Close
        </CommandButton>
      )}
    </>
  )
}

/** The dialog that the address names, such as `?dialog=resolve`. */
export function CaseDialogs({ case: { caseId } }: { case: Case }) {
  const { dialog = '' } = useSearch({ from: '/cases/$caseId' })
  const navigate = useNavigate({ from: '/cases/$caseId' })
  const close = () =>
    void navigate({ search: (old) => ({ ...old, dialog: undefined }), resetScroll: false })
  const chosen = dialogs[dialog]
  if (!chosen) return null
  return (
    <Modal opened onClose={close} title={chosen.title}>
      <chosen.Form caseId={caseId} onClose={close} />
    </Modal>
  )
}
