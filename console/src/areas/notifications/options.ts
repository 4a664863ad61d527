import { readable } from '../../parts/format.ts'

const option = (value: string) => ({ value, label: readable(value) })

export const channels = ['EMAIL', 'SMS', 'PUSH', 'SECURE_MESSAGE'].map(option)
export const categories = ['SERVICE', 'MARKETING', 'REGULATORY'].map(option)
export const variableTypes = ['STRING', 'NUMBER', 'BOOLEAN'].map(option)
export const templateStatuses = [
  'DRAFT',
  'IN_REVIEW',
  'APPROVED',
  'REJECTED',
  'ACTIVE',
  'RETIRED',
].map(option)
export const notificationStatuses = [
  'QUEUED',
  'ACCEPTED',
  'SENT',
  'DELIVERED',
  'FAILED',
  'SUPPRESSED',
].map(option)
