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

/** A registered channel through which customers reach the bank. */
export interface Channel extends Versioned {
  channelId: string
  name: string
  medium: Medium
  /**
   * What customers can do over the channel, such as `identify`, `sign` or `pay`; values defined by
   * the bank.
   */
  capabilities: readonly string[]
  /** Null if always open. */
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

/** Creates a channel. Throws INVALID_INITIAL_STATUS and VALIDATION_FAILED (invalid hours). */
export function newChannel(asked: NewChannel, made: Versioned & { channelId: string }): Channel {
  const status = initialState(asked.status, channelStatuses, 'active')
  return { ...made, medium: asked.medium, status, ...contentOf(asked) }
}

/** Replaces a channel's name, capabilities and hours. Throws VALIDATION_FAILED (invalid hours). */
export function changeChannel(channel: Channel, asked: ChannelContent): Channel {
  return { ...channel, ...contentOf(asked) }
}

function contentOf({ name, capabilities, hours }: ChannelContent) {
  if (hours) requireHours(hours, '/hours')
  return { name, capabilities: [...new Set(capabilities)], hours: hours ?? null }
}

/** Throws INVALID_STATE_TRANSITION. */
export function moveChannel(channel: Channel, to: ChannelStatus): Channel {
  requireMove(channelMoves, channel.status, to, channel.channelId)
  return { ...channel, status: to }
}
