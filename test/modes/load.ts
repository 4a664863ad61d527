import { setTimeout as sleep } from 'node:timers/promises'

/** Clients that create one party after another. */
export interface Load {
  /** The IDs of the parties whose creation was acknowledged. */
  acknowledged: string[]
  /** What was answered if it was neither done nor a problem that the client may retry. */
  surprises: string[]
  stop(): Promise<void>
}

const clients = 4
const retryMs = 100

/**
 * Starts clients that send their next request to one of the addresses at random. A client repeats
 * a request, with its idempotency key, until it is acknowledged.
 */
export function startLoad(addresses: readonly string[], token: string): Load {
  const acknowledged: string[] = []
  const surprises: string[] = []
  let isRunning = true
  const client = async (_: unknown, at: number) => {
    for (let serial = 0; isRunning; serial++) {
      const partyId = `pty_${at}_${serial}`
      while (isRunning) {
        const address = addresses[Math.floor(Math.random() * addresses.length)]!
        const outcome = await createParty(address, token, partyId)
        if (outcome === 'acknowledged') acknowledged.push(partyId)
        else if (outcome !== 'retry') surprises.push(outcome)
        if (outcome === 'acknowledged') break
        await sleep(retryMs)
      }
    }
  }
  const running = Array.from({ length: clients }, client)
  return {
    acknowledged,
    surprises,
    async stop() {
      isRunning = false
      await Promise.all(running)
    },
  }
}

/** Returns 'acknowledged', 'retry', or an answer that a client cannot do anything with. */
async function createParty(address: string, token: string, partyId: string): Promise<string> {
  const query = `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`
  let text: string
  try {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': partyId,
      },
      body: JSON.stringify({ query }),
    })
    text = await response.text()
  } catch {
    // Nobody listens, or the connection was closed: the request may or may not have been executed.
    return 'retry'
  }
  const { errors } = JSON.parse(text) as { errors?: { extensions: { retryable: boolean } }[] }
  if (!errors) return 'acknowledged'
  return errors.every(({ extensions }) => extensions.retryable) ? 'retry' : text
}
