import { readable } from '../../parts/format.ts'
import type { InteractionChannel } from './queries.generated.ts'

export const media: readonly InteractionChannel[] = [
  'VOICE',
  'CHAT',
  'TASK',
  'EMAIL',
  'SECURE_MESSAGE',
]

export const mediumOptions = media.map((value) => ({ value, label: readable(value) }))
