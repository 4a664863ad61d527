import type {
  NotificationChannel,
  NotificationTemplateQuery,
  TemplateVariableType,
} from './queries.generated.ts'

export type Template = NonNullable<NotificationTemplateQuery['notificationTemplate']>

export interface VariableValues {
  name: string
  type: TemplateVariableType
  required: boolean
  pii: boolean
}

export interface ContentValues {
  subject: string
  body: string
  variables: VariableValues[]
}

export const newVariable: VariableValues = {
  name: '',
  type: 'STRING',
  required: true,
  pii: false,
}

export const contentOf = ({ subject, body, variables }: Template): ContentValues => ({
  subject: subject ?? '',
  body,
  variables: variables.map(({ name, type, required, pii }) => ({ name, type, required, pii })),
})

export const hasSubject = (channel: NotificationChannel): boolean =>
  channel === 'EMAIL' || channel === 'SECURE_MESSAGE'

/** Returns the content for the bank, without a subject for channels that have none. */
export function contentInput(
  channel: NotificationChannel,
  { subject, body, variables }: ContentValues,
) {
  return {
    body,
    ...(hasSubject(channel) && subject.trim() && { subject: subject.trim() }),
    variables: variables.map(({ name, ...variable }) => ({ ...variable, name: name.trim() })),
  }
}

/** Returns the value that a person entered for a variable, or a sample of its type. */
export function sampleOf({ name, type }: VariableValues, entered: string | undefined) {
  const text = entered?.trim() ?? ''
  if (type === 'NUMBER') return text === '' ? 1 : Number(text)
  if (type === 'BOOLEAN') return text !== 'false'
  return text === '' ? `[${name}]` : text
}
