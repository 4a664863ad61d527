import type { AssistantsQuery, AssistSessionQuery } from './queries.generated.ts'

export type Assistant = NonNullable<AssistantsQuery['assistants']>[number]
export type Session = NonNullable<AssistSessionQuery['assistSession']>
export type Message = NonNullable<Session['messages']>['nodes'][number]
