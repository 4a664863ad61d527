import { useQuery } from '@apollo/client/react'
import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Skeleton, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ProblemAlert } from './problem-alert.tsx'

interface QueryProps<Data, Variables extends OperationVariables> {
  query: TypedDocumentNode<Data, Variables>
  variables: Variables
  /** What is shown until the first answer; by default lines of text. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows the result of a query: a skeleton until the first answer, then the data, also while a newer
 * answer is on its way and when it does not arrive. If a part of the answer is missing, what is there
 * is shown with the problem.
 */
export function Query<Data, Variables extends OperationVariables>({
  query,
  variables,
  skeleton,
  children,
}: QueryProps<Data, Variables>) {
  const { data, error, refetch } = useQuery(query, {
    variables,
    errorPolicy: 'all',
  } as useQuery.Options<Data, Variables>)
  // While the bank cannot be reached, what is known stays, and so does what a person is typing.
  const key = JSON.stringify(variables)
  const [known, setKnown] = useState<{ key: string; data: unknown } | null>(null)
  if (data && (known?.data !== data || known.key !== key)) setKnown({ key, data })
  const shown = data ?? (known?.key === key ? known.data : undefined)
  return (
    <>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {Boolean(shown) && children(shown as Data)}
      {!shown && !error && (skeleton ?? <Lines />)}
    </>
  )
}

export const Lines = ({ count = 4 }: { count?: number }) => (
  <Stack gap="sm" aria-busy="true" aria-label="Loading">
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} height={20} width={`${100 - (index % 3) * 15}%`} />
    ))}
  </Stack>
)
