/** A sandbox in which Ada has a passkey, and the page on which customers approve operations. */
import { seedPerson } from '../../oauth/people.ts'
import { ABrowser } from '../oauth/browser.ts'
import { optionsIn, SoftwarePasskey, type AssertionChanges } from '../oauth/software-passkey.ts'
import { ada, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

const gracesPassword = 'another correct horse'

export type ApprovingBank = Awaited<ReturnType<typeof anApprovingBank>>

export interface Transfer {
  amount: string
  to?: string
  iban?: string
  name?: string
  paymentId?: string
  token?: string
  key?: string
}

export async function anApprovingBank(settings: Record<string, string> = {}) {
  const bank = await aSeededPlatform('sandbox', false, { HOST: 'localhost', ...settings })
  const { pool } = bank.bank
  const grace = { username: 'grace', partyId: 'pty_grace', password: gracesPassword }
  await seedPerson(pool, grace, new Date())
  const tokenOf = (partyId: string) => bank.token({ partyId })
  const tokens = { ada: tokenOf('pty_ada'), grace: tokenOf('pty_grace') }

  /** Runs a mutation. Returns its data, or the extensions of its first error. */
  async function mutate(text: string, { token = tokens.ada, key }: Partial<Transfer> = {}) {
    const options = { token, ...(key && { key }) }
    const { body, headers } = await bank.graph(`mutation { ${text} }`, {}, options)
    const [error] = body.errors ?? []
    return {
      data: body.data && Object.values(body.data as object)[0],
      error: error?.extensions,
      headers,
    }
  }

  function transfer({ amount, to, iban, name, paymentId, ...options }: Transfer) {
    const payee = iban ? `creditorIban: "${iban}"` : `creditorArrangementId: "${to}"`
    return mutate(
      `createTransfer(input: { debtorArrangementId: "arr_ada_current", ${payee}
        ${name ? `creditorName: "${name}"` : ''} ${paymentId ? `paymentId: "${paymentId}"` : ''}
        amount: { amount: "${amount}", currency: "EUR" } }) { paymentId state }`,
      options,
    )
  }

  /** Opens the page of an approval as somebody who logs in with a password. */
  async function openApproval(approvalUrl: string, who: 'ada' | 'grace' = 'ada') {
    const browser = new ABrowser()
    await browser.visit(new URL(approvalUrl))
    const password = who === 'ada' ? ada.password : gracesPassword
    await browser.submit({ username: who, password, decision: 'allow' })
    return browser
  }

  async function approve(
    approvalUrl: string,
    passkey: SoftwarePasskey,
    changes: AssertionChanges = {},
    who: 'ada' | 'grace' = 'ada',
  ) {
    const browser = await openApproval(approvalUrl, who)
    const credential = passkey.use(optionsIn(browser.page), changes)
    await browser.submit({ credential })
    return { browser, credential, isApproved: browser.page.includes('Approved') }
  }

  /** Lets a person have exactly one passkey. */
  async function aPasskeyOf(username: string): Promise<SoftwarePasskey> {
    await pool.query('delete from oauth.passkey where username = $1', [username])
    const passkey = new SoftwarePasskey(bank.url)
    await passkey.register(pool, username)
    return passkey
  }

  return { bank, pool, tokens, mutate, transfer, openApproval, approve, aPasskeyOf }
}

export const stop = ({ bank }: { bank: Platform }): Promise<void> => bank.stop()
