import { kind } from './problem-kind.ts'

/** Problem codes of connections to the world outside the bank; part of the catalogue. */
export const connectionProblems = {
  CHANNEL_NOT_CONFIGURED: kind(422, 'The bank has no provider for that channel.'),
  RAIL_NOT_CONFIGURED: kind(422, 'The bank has no connection to other banks.'),
} as const
