import { emptyHours, hoursErrors, hoursFrom, hoursInput, type HoursValues } from './hours.ts'
import type {
  InteractionChannel,
  ProfilePartsFragment,
  RoutingProfileKind,
  UpdateRoutingProfileMutationVariables,
} from './queries.generated.ts'

type Input = Omit<UpdateRoutingProfileMutationVariables['input'], 'routingProfileId'>

/** What a person enters about a routing profile. */
export interface ProfileValues {
  name: string
  kind: RoutingProfileKind
  queues: {
    queueId: string
    channel: InteractionChannel
    priority: string
    delaySeconds: string
  }[]
  mediaConcurrencies: {
    channel: InteractionChannel
    concurrency: string
    /** Whether agents who work on this medium also get work of other media. */
    isShared: boolean
  }[]
  skills: string[]
  languages: string[]
  segments: string[]
  fallbackProfileId: string
  hours: HoursValues
}

export const emptyQueue: ProfileValues['queues'][number] = {
  queueId: '',
  channel: 'VOICE',
  priority: '1',
  delaySeconds: '0',
}

export const emptyLimit: ProfileValues['mediaConcurrencies'][number] = {
  channel: 'VOICE',
  concurrency: '1',
  isShared: false,
}

export const emptyProfile: ProfileValues = {
  name: '',
  kind: 'CONTACT_CENTER',
  queues: [emptyQueue],
  mediaConcurrencies: [emptyLimit],
  skills: [],
  languages: [],
  segments: [],
  fallbackProfileId: '',
  hours: emptyHours,
}

/** Returns the values with which the form of a profile begins. */
export const valuesFrom = (profile: ProfilePartsFragment): ProfileValues => ({
  name: profile.name,
  kind: profile.kind,
  queues: profile.queues.map(({ queueId, channel, priority, delaySeconds }) => ({
    queueId,
    channel,
    priority: String(priority),
    delaySeconds: String(delaySeconds),
  })),
  mediaConcurrencies: profile.mediaConcurrencies.map(
    ({ channel, concurrency, crossChannelBehavior }) => ({
      channel,
      concurrency: String(concurrency),
      isShared: crossChannelBehavior === 'ROUTE_ANY_CHANNEL',
    }),
  ),
  skills: [...profile.skills],
  languages: [...profile.languages],
  segments: [...profile.segments],
  fallbackProfileId: profile.fallbackProfileId ?? '',
  hours: hoursFrom(profile.hours),
})

/** Returns what the form does not show: an update replaces the whole configuration. */
export const keptOf = (profile: ProfilePartsFragment): Partial<Input> => ({
  agentAvailabilityTimer: profile.agentAvailabilityTimer,
  relationshipManagerIds: profile.relationshipManagerIds,
  ...(profile.defaultOutboundQueueId && {
    defaultOutboundQueueId: profile.defaultOutboundQueueId,
  }),
})

/** Returns the input of the mutation. */
export const inputOf = (values: ProfileValues): Input => ({
  name: values.name.trim(),
  kind: values.kind,
  queues: values.queues.map(({ queueId, channel, priority, delaySeconds }) => ({
    queueId,
    channel,
    priority: Number(priority),
    delaySeconds: Number(delaySeconds),
  })),
  mediaConcurrencies: values.mediaConcurrencies.map(({ channel, concurrency, isShared }) => ({
    channel,
    concurrency: Number(concurrency),
    crossChannelBehavior: isShared ? 'ROUTE_ANY_CHANNEL' : 'ROUTE_CURRENT_CHANNEL_ONLY',
  })),
  skills: values.skills,
  languages: values.languages,
  segments: values.segments,
  ...(values.fallbackProfileId && { fallbackProfileId: values.fallbackProfileId }),
  ...hoursInput(values.hours),
})

const isCount = (text: string) => /^\d+$/.test(text.trim())

/** Returns what is missing or no number, by field. */
export function errorsOf({ name, queues, mediaConcurrencies, hours }: ProfileValues) {
  const faults = [
    ...queues.flatMap(({ queueId, priority, delaySeconds }, index) => [
      ...(queueId ? [] : [[`queues.${index}.queueId`, 'Which queue?']]),
      ...(isCount(priority) ? [] : [[`queues.${index}.priority`, 'A number.']]),
      ...(isCount(delaySeconds) ? [] : [[`queues.${index}.delaySeconds`, 'A number.']]),
    ]),
    ...mediaConcurrencies.flatMap(({ concurrency }, index) =>
      isCount(concurrency) ? [] : [[`mediaConcurrencies.${index}.concurrency`, 'A number.']],
    ),
  ]
  return {
    ...(!name.trim() && { name: 'Required.' }),
    ...(Object.fromEntries(faults) as Record<string, string>),
    ...hoursErrors(hours),
  }
}
