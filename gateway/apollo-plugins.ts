import type { ApolloServerPlugin, BaseContext } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import type { ExecutionResult } from 'graphql'
import type { Context } from '../kernel/environment/context.ts'
import type { Operation } from './operation.ts'

/** The context value of Apollo Server, which its plugins receive. */
export interface ApolloContext extends BaseContext {
  /** The request's caller and its environment. */
  context: Context
  operation: Operation
  /** Executes the operation. The errors of the result are formatted for clients. */
  execute(): Promise<ExecutionResult>
}

/**
 * The plugins of Apollo Server that run for every query and mutation over HTTP, such as usage
 * reporting or cache control. To use one that is disabled here, replace it: Apollo Server does not
 * start with both.
 */
export const plugins: readonly ApolloServerPlugin<ApolloContext>[] = [
  ApolloServerPluginUsageReportingDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginCacheControlDisabled(),
]
