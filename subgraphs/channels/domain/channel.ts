import type { OpeningHours } from '../model/opening-hours.ts'
import { ChannelStatus, type Medium } from '../model/enumerations.ts'
import { initialState } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { Channel } from '../model/setup.ts'
import { requireHours } from './opening-hours.ts'

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
