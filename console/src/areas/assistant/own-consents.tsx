import { useQuery } from '@apollo/client/react'
import { readable } from '../../parts/format.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import {
  AssistConsentsDocument,
  WithdrawAssistConsentDocument,
  type AssistConsentsQuery,
} from './queries.generated.ts'

type Consent = NonNullable<AssistConsentsQuery['assistConsents']>[number]

const columnsFor = (partyId: string): readonly Column<Consent>[] => [
  { title: 'Assistant', cell: ({ assistantType }) => readable(assistantType) },
  { title: 'Model of', cell: ({ provider }) => provider },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Decided', cell: ({ decidedAt }) => <Time value={decidedAt} /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: ({ assistantType, status }) =>
      status === 'GRANTED' && (
        <NotifyingButton
          size="compact-sm"
          variant="default"
          id={`withdraw:${assistantType}`}
          mutation={WithdrawAssistConsentDocument}
          variables={{ input: { partyId, assistantType } }}
          done="Your consent is withdrawn"
        >
          Withdraw
        </NotifyingButton>
      ),
  },
]

/** What a customer consented to, if anything, and how to withdraw it. */
export function OwnConsents({ partyId }: { partyId: string }) {
  const { data } = useQuery(AssistConsentsDocument, { variables: { partyId } })
  const consents = data?.assistConsents ?? []
  if (consents.length === 0) return null
  return (
    <Section
      title="Your consents"
      description="Which models may see your data. Withdrawing ends the conversations."
    >
      <ConnectionTable
        label="Your consents"
        connection={{ nodes: consents, pageInfo: { hasNextPage: false } }}
        columns={columnsFor(partyId)}
        keyOf={({ consentId }) => consentId}
        empty=""
      />
    </Section>
  )
}
