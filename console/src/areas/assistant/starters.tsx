import { useQuery } from '@apollo/client/react'
import { Button, Group } from '@mantine/core'
import { useSession } from '../../session/session.ts'
import { StartersDocument, type StartersQuery } from './queries.generated.ts'
import type { Session } from './records.ts'

interface StartersProps {
  session: Session
  onChoose: (text: string) => void
}

/** Questions to begin with, about what the customer has. */
export function Starters({ session, onChoose }: StartersProps) {
  const isCustomer = useSession().person.partyId !== null
  const { data } = useQuery(StartersDocument, { skip: !isCustomer })
  const tools = new Set(session.tools.map(({ name }) => name))
  const questions = [
    ...(tools.has('list_accounts') ? ['How much is in the accounts?'] : []),
    ...(data ? questionsAbout(data) : []),
  ]
  return (
    <Group gap="xs">
      {questions.map((question) => (
        <Button
          key={question}
          size="xs"
          variant="light"
          className="starter"
          onClick={() => onChoose(question)}
        >
          {question}
        </Button>
      ))}
    </Group>
  )
}

function questionsAbout({ me }: StartersQuery): string[] {
  const account = me?.accounts?.[0]
  const loan = me?.customers
    ?.flatMap(({ facilities }) => facilities?.nodes ?? [])
    .find(({ kind, state }) => kind !== 'REVOLVING' && state === 'ACTIVE')
  return [
    ...(account ? [`What are the last entries of ${account.arrangementId}?`] : []),
    ...(loan
      ? [
          `When is the next installment of ${loan.facilityId}?`,
          `What would an extra payment of 100.00 on ${loan.facilityId} change?`,
        ]
      : []),
  ]
}
