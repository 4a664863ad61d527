import { Button, Group, Modal, Text } from '@mantine/core'
import { useSearch, useNavigate } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { AppLink } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, State } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  ApproveSigningRuleDocument,
  RejectSigningRuleDocument,
  SigningRulesDocument,
  type SigningRulePartsFragment,
} from './queries.generated.ts'
import { SigningRuleForm } from './signing-rule-form.tsx'

const columns: readonly Column<SigningRulePartsFragment>[] = [
  { title: 'Signatures', cell: ({ requiredSignatures }) => requiredSignatures },
  {
    title: 'From the amount',
    cell: ({ fromAmount }) => (fromAmount ? <Money value={fromAmount} /> : 'Any amount'),
  },
  {
    title: 'Signatories',
    cell: ({ signatoryPartyIds }) =>
      signatoryPartyIds.length === 0 ? (
        'None: whoever may pay, pays alone'
      ) : (
        <Group gap="xs">
          {signatoryPartyIds.map((partyId) => (
            <AppLink key={partyId} to="/customers/$partyId" params={{ partyId }}>
              {partyId}
            </AppLink>
          ))}
        </Group>
      ),
  },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
  { title: 'Decision', cell: (rule) => <Decision rule={rule} /> },
]

function Decision({ rule }: { rule: SigningRulePartsFragment }) {
  const { signingRuleId, state, proposedBy, decidedBy } = rule
  const { username } = useSession().person
  const canWrite = useMay()('accounts:write')
  if (state !== 'PROPOSED') return decidedBy
  if (!canWrite) return null
  if (proposedBy === username) return 'Another person decides'
  const step = { size: 'compact-sm', variables: { signingRuleId } } as const
  return (
    <Group gap="xs" wrap="nowrap">
      <NotifyingButton
        {...step}
        id={`approve:${signingRuleId}`}
        mutation={ApproveSigningRuleDocument}
        done="Signing rule approved"
      >
        Approve
      </NotifyingButton>
      <NotifyingButton
        {...step}
        variant="default"
        id={`reject:${signingRuleId}`}
        mutation={RejectSigningRuleDocument}
        done="Signing rule rejected"
      >
        Reject
      </NotifyingButton>
    </Group>
  )
}

/** How many people must sign a payment from an account, for employees. */
export function SigningRule({
  arrangementId,
  currency,
}: {
  arrangementId: string
  currency: string
}) {
  const { dialog } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const open = (name?: string) => void navigate({ search: (old) => ({ ...old, dialog: name }) })
  const isEmployee = useSession().person.partyId === null
  const canWrite = useMay()('accounts:write')
  useChangesOfType(['accounts.signing-rule.*'])
  if (!isEmployee) return null
  return (
    <Section
      title="Signatures"
      description="How many people must sign a payment. A second person approves each rule."
      actions={
        canWrite && (
          <Button size="xs" variant="default" onClick={() => open('signing')}>
            Propose a rule
          </Button>
        )
      }
    >
      <Query query={SigningRulesDocument} variables={{ arrangementId }}>
        {({ accountArrangement, signingRules }) => {
          const current = accountArrangement?.signingRule
          const rules = [...(current ? [current] : []), ...(signingRules?.nodes ?? [])]
          return rules.length === 0 ? (
            <Text c="dimmed">Whoever may pay from the account pays alone.</Text>
          ) : (
            <RowTable
              label="Signing rules"
              rows={rules}
              columns={columns}
              keyOf={({ signingRuleId }) => signingRuleId}
            />
          )
        }}
      </Query>
      <Modal opened={dialog === 'signing'} onClose={() => open()} title="Propose a signing rule">
        <SigningRuleForm {...{ arrangementId, currency }} onClose={() => open()} />
      </Modal>
    </Section>
  )
}
