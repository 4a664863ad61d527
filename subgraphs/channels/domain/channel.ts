import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { initialState } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Medium } from './medium.ts'
import { requireHours, type OpeningHours } from './opening-hours.ts'

export const channelStatuses = ['active', 'inactive'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

export const channelMoves: Transitions<ChannelStatus> = {
  active: ['inactive'],
  inactive: ['active'],
}

/** One way to reach the bank. */
export interface Channel extends Versioned {
  channelId: string
  name: string
  medium: Medium
  /** What can be done over it: `identify`, `sign`, `pay`. The bank's own words. */
  capabilities: readonly string[]
  /** null: always. */
  hours: OpeningHours | null
  status: ChannelStatus
}

export interface ChannelContent {
  name: string
  capabilities?: readonly string[] | null
  hours?: OpeningHours | null
}

export interface NewChannel extends ChannelContent {
  medium: Medium
  status?: string | null
}

/** A new channel. Refuses with INVALID_INITIAL_STATUS, VALIDATION_FAILED (hours). */
export function newChannel(asked: NewChannel, made: Versioned & { channelId: string }): Channel {
  const status = initialState(asked.status, channelStatuses, 'active')
  return { ...made, medium: asked.medium, status, ...contentOf(asked) }
}

/** Gives a channel another name, capabilities and hours. Refuses with VALIDATION_FAILED. */
export function changeChannel(channel: Channel, asked: ChannelContent): Channel {
  return { ...channel, ...contentOf(asked) }
}

function contentOf({ name, capabilities, hours }: ChannelContent) {
  if (hours) requireHours(hours, '/hours')
  return { name, capabilities: [...new Set(capabilities)], hours: hours ?? null }
}

/** Refuses with INVALID_STATE_TRANSITION. */
export function moveChannel(channel: Channel, to: ChannelStatus): Channel {
  requireMove(channelMoves, channel.status, to, channel.channelId)
  return { ...channel, status: to }
}
