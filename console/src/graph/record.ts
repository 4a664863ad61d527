import { ApolloLink } from '@apollo/client'
import { print } from 'graphql'
import { Observable, tap } from 'rxjs'
import { isPreload } from './preload.ts'

/** A query or mutation that a page sent, for the panel that shows how the page is made. */
export interface RecordedOperation {
  id: number
  name: string
  kind: string
  text: string
  variables: Record<string, unknown>
  startedAt: number
  durationMs: number | null
  isFailed: boolean
  requestId: string | null
}

const limit = 50
let operations: readonly RecordedOperation[] = []
let nextId = 1
const listeners = new Set<() => void>()

export const record = {
  get: () => operations,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Forgets the operations of the page that was left. */
  clear: () => update([]),
}

/** Records every operation of a page with its duration; a preloaded one when the page asks for it. */
export const recordLink = new ApolloLink((operation, forward) => {
  if (isPreload(operation)) return forward(operation)
  const startedAt = Date.now()
  const start = performance.now()
  const id = nextId++
  add({
    id,
    name: operation.operationName ?? 'anonymous',
    kind: operation.operationType,
    text: print(operation.query),
    variables: operation.variables,
    startedAt,
    durationMs: null,
    isFailed: false,
    requestId: null,
  })
  const finish = (isFailed: boolean) => {
    const requestId = (operation.getContext()['requestId'] as string | undefined) ?? null
    const durationMs = Math.round(performance.now() - start)
    update(
      operations.map((each) =>
        each.id === id ? { ...each, durationMs, isFailed, requestId } : each,
      ),
    )
  }
  return (forward(operation) as Observable<ApolloLink.Result>).pipe(
    tap({ next: ({ errors }) => finish(Boolean(errors)), error: () => finish(true) }),
  )
})

function add(operation: RecordedOperation) {
  update([operation, ...operations].slice(0, limit))
}

function update(value: readonly RecordedOperation[]) {
  operations = value
  for (const listener of listeners) listener()
}
