import { kind } from './problem-kind.ts'

/** Problem codes of connections to the world outside the bank; part of the catalog. */
export const connectionProblems = {
  CHANNEL_NOT_CONFIGURED: kind(422, 'No delivery provider is configured for the channel.'),
  RAIL_NOT_CONFIGURED: kind(422, 'No payment rail to other banks is configured.'),
} as const
