/** Client certificates, and a proxy that terminates TLS and passes them on. */
import { execFile } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Certificate {
  pem: string
  privateKey: string
  /** The JSON Web Key with which the certificate is registered. */
  jwk: { x5c: string[] }
  thumbprint: string
  /** The header of RFC 9440 with the certificate. */
  header: string
}

/** Creates a self-signed certificate that is valid for some days from now. */
export async function aCertificate(days = 2, key = 'ec:P-256'): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-certificate-'))
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const [type, size] = key.split(':') as [string, string]
  const newKey =
    type === 'ec' ? ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${size}`] : ['-newkey', key]
  const files = ['-nodes', '-keyout', keyFile, '-out', file]
  const validity = ['-days', String(days), '-subj', '/CN=integrator.example']
  await run('openssl', ['req', '-x509', ...newKey, ...files, ...validity])
  const [pem, privateKey] = await Promise.all([readFile(file, 'utf8'), readFile(keyFile, 'utf8')])
  await rm(folder, { recursive: true })
  const { raw } = new X509Certificate(pem)
  const der = raw.toString('base64')
  const thumbprint = createHash('sha256').update(raw).digest('base64url')
  return { pem, privateKey, jwk: { x5c: [der] }, thumbprint, header: `:${der}:` }
}

/** Starts a proxy that requests a certificate and passes it on in the header `Client-Cert`. */
export async function aTlsProxy(target: string) {
  const own = await aCertificate()
  const tls = { key: own.privateKey, cert: own.pem, requestCert: true, rejectUnauthorized: false }
  const proxy = createServer(tls, (incoming, outgoing) => {
    const { raw } = (incoming.socket as TLSSocket).getPeerCertificate()
    // A proxy removes the header that a client sent itself.
    const { 'client-cert': _, ...headers } = incoming.headers
    const forwarded = httpRequest(
      `${target}${incoming.url}`,
      {
        method: incoming.method,
        headers: { ...headers, ...(raw && { 'client-cert': `:${raw.toString('base64')}:` }) },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    /** Sends a request with a certificate over TLS. */
    async send(
      path: string,
      certificate: Certificate | null,
      { method = 'GET', headers = {}, body = '' },
    ) {
      const key = certificate && { key: certificate.privateKey, cert: certificate.pem }
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { method, headers, agent: false, rejectUnauthorized: false, ...key }
        httpsRequest(`${url}${path}`, options, resolve).on('error', reject).end(body)
      })
      const chunks = (await answer.toArray()) as Buffer[]
      const text = Buffer.concat(chunks).toString()
      return { status: answer.statusCode, body: JSON.parse(text) as Record<string, any> }
    },
    stop: () => {
      proxy.closeAllConnections()
      return new Promise((resolve) => proxy.close(resolve))
    },
  }
}
