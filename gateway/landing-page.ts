import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default'
import { sandboxDocument } from './sandbox-document.ts'

/**
 * Renders the page for browsers at `/graphql`: Apollo Sandbox, whose scripts are loaded from its
 * vendor.
 */
export type LandingPage = () => Promise<string>

export async function createLandingPage(): Promise<LandingPage> {
  const plugin = ApolloServerPluginLandingPageLocalDefault({
    footer: false,
    embed: { initialState: { pollForSchemaUpdates: false } },
    document: sandboxDocument,
  })
  const listener = await plugin.serverWillStart!(undefined as never)
  const { html } = await listener!.renderLandingPage!()
  return async () => withOfflineLink(typeof html === 'string' ? html : await html())
}

/**
 * Adds a link to GraphiQL, because Apollo Sandbox needs access to the internet. The link is placed
 * in front, because Apollo Sandbox covers the page. The styles of the link need the page's nonce,
 * because the content security policy in the page allows no other styles.
 */
function withOfflineLink(html: string): string {
  const nonce = /nonce="?([0-9a-f]+)/.exec(html)?.[1]
  if (!nonce) throw new Error('The landing page of Apollo Server has no nonce.')
  const style =
    `<style nonce="${nonce}">.offline{position:fixed;z-index:2147483647;right:1rem;bottom:1rem;` +
    'padding:.5rem .75rem;border-radius:.375rem;background:#1b1f24;color:#fff;' +
    'font:14px/1.4 system-ui,sans-serif}.offline a{color:#9ecbff}</style>'
  const link =
    '<p class="offline">Offline? <a href="/graphiql">Open GraphiQL</a>, which this server hosts. ' +
    '<a href="/schema.graphql">Schema</a></p>'
  return html.replace('</head>', `${style}</head>`).replace(/<body[^>]*>/, `$&${link}`)
}
