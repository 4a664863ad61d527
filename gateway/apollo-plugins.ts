import type { ApolloServerPlugin } from '@apollo/server'
import type { ApolloContext } from './apollo.ts'

/**
 * The plugins of Apollo Server that run for every query and mutation over HTTP, such as usage
 * reporting or cache control. See docs/add-a-server-plugin.md.
 */
export const plugins: readonly ApolloServerPlugin<ApolloContext>[] = []
