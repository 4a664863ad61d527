import type { OpeningHours } from '../model/opening-hours.ts'
import { ChannelStatus, type Medium } from '../model/enumerations.ts'
import { assertTransition, type Transitions, initialState } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { requireHours } from './opening-hours.ts'

export const channelTransitions: Transitions<ChannelStatus> = {
  active: ['inactive'],
  inactive: ['active'],
}

/** A registered channel through which customers reach the bank. */
export interface Channel extends Versioned {
  channelId: string
  name: string
  medium: Medium
  /**
   * What customers can do over the channel, such as `identify`, `sign` or `pay`. The bank defines
   * the values.
   */
  capabilities: readonly string[]
  /** The opening hours; null if the channel is always open. */
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

/** Creates a channel. Throws INVALID_INITIAL_STATUS, and VALIDATION_FAILED for invalid hours. */
export function newChannel(request: NewChannel, stamp: Versioned & { channelId: string }): Channel {
  const status = initialState(request.status, ChannelStatus.values, 'active')
  return { ...stamp, medium: request.medium, status, ...contentOf(request) }
}

/**
 * Replaces a channel's name, capabilities and hours. Throws VALIDATION_FAILED for invalid hours.
 */
export function changeChannel(channel: Channel, request: ChannelContent): Channel {
  return { ...channel, ...contentOf(request) }
}

function contentOf({ name, capabilities, hours }: ChannelContent) {
  if (hours) requireHours(hours, '/hours')
  return { name, capabilities: [...new Set(capabilities)], hours: hours ?? null }
}

/** Changes the status of a channel. Throws INVALID_STATE_TRANSITION. */
export function transitionChannel(channel: Channel, to: ChannelStatus): Channel {
  assertTransition(channelTransitions, channel.status, to, channel.channelId)
  return { ...channel, status: to }
}
