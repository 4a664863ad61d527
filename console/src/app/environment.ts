import { useQuery } from '@apollo/client/react'
import { HeadDocument } from '../graph/queries.generated.ts'

/** Returns the bank's business date; undefined until it is known. */
export function useBusinessDate(): string | undefined {
  return useQuery(HeadDocument).data?.environment?.businessDate
}
