import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const modulePath = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
].find((path) => existsSync(path))

const isBuilt = await import('pkcs11js').then(
  () => true,
  () => false,
)

/** Why this machine has no PKCS#11 token; null if it has one. */
export const noHsm = !modulePath
  ? 'SoftHSM is not installed (apt-get install softhsm2, brew install softhsm)'
  : isBuilt
    ? null
    : 'the package pkcs11js was not built (npm rebuild pkcs11js)'

/** Creates a token of SoftHSM. Returns the settings of the program, and the function that deletes it. */
export function aToken() {
  const folder = mkdtempSync(join(tmpdir(), 'bankgraph-hsm-'))
  const conf = join(folder, 'softhsm2.conf')
  writeFileSync(conf, `directories.tokendir = ${folder}\nlog.level = ERROR\n`)
  process.env['SOFTHSM2_CONF'] = conf
  const [token, pin] = ['bankgraph', '1234-test']
  const create = ['--init-token', '--free', '--label', token, '--pin', pin, '--so-pin', pin]
  execFileSync('softhsm2-util', create)
  return {
    settings: {
      PKCS11_MODULE: modulePath!,
      PKCS11_TOKEN: token,
      PKCS11_PIN: pin,
      SOFTHSM2_CONF: conf,
    },
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}
