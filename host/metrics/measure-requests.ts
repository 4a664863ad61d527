import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bank } from '../../kernel/environment/bank.ts'
import { metersOf } from '../../kernel/telemetry/meters.ts'
import { paths as identityPaths } from '../../oauth/metadata.ts'

/** The methods of RFC 9110 and PATCH. Clients can send any others, which count together. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
const knownPaths = new Set<string>(Object.values(identityPaths))

/** Measures all requests of a server. `bankOf` returns the environment of a request. */
export function measureRequests(
  app: FastifyInstance,
  bankOf: (request: FastifyRequest) => Bank,
): void {
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const { requests } = metersOf(bankOf(request))
    const labels = {
      http_request_method: methodOf(request),
      http_route: routeOf(request),
      http_response_status_code: statusCode,
    }
    requests.observe(labels, elapsedTime / 1000)
    done()
  })
}

const methodOf = ({ method }: FastifyRequest) => (knownMethods.has(method) ? method : '_OTHER')

/**
 * Returns the template of the path, such as `/facilities/:facilityId/drawdowns`. The authorization server has no
 * routes in the HTTP server, and some of its paths contain an ID.
 */
export function routeOf({ routeOptions, url }: FastifyRequest): string {
  if (routeOptions.url !== undefined) return routeOptions.url
  const path = url.split('?')[0]!
  if (knownPaths.has(path)) return path
  return path.startsWith('/oauth/') ? '/oauth/*' : 'unknown'
}
