import type { GraphQLFormattedError } from 'graphql'
import { Problem, type ProblemCode } from '../../kernel/domain/problem.ts'

/** The HTTP status of an error: its own if it has one, and otherwise that of its code. */
export function statusOf({ extensions }: GraphQLFormattedError): number {
  return new Problem(extensions!['code'] as ProblemCode, { ...extensions }).status
}
