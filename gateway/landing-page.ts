import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default'
import { sandboxDocument } from './sandbox-document.ts'

/** Renders the page that a browser gets at `/graphql`: Apollo Sandbox, which it loads from its vendor. */
export type LandingPage = () => Promise<string>

export async function createLandingPage(): Promise<LandingPage> {
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    footer: false,
    embed: { initialState: { pollForSchemaUpdates: false } },
    document: sandboxDocument,
  })
  const listener = await plugin.serverWillStart!(undefined as never)
  const { html } = await listener!.renderLandingPage!()
  return () => Promise.resolve(typeof html === 'string' ? html : html())
}
