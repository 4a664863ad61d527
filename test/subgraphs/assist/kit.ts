import type { EnvironmentName } from '../../../kernel/environment/config.ts'
import { expect } from 'vitest'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RestOptions } from '../../kit/platform.ts'
import { aSampleBank, type SampleBank } from '../../contract/kit.ts'

/** The next response of the stand-in model: text, or a tool call. */
export interface Reply {
  content?: string
  tool?: { name: string; args: object }
  /** Delay between two chunks of the stream. */
  pauseMs?: number
  /** The last chunk of the content is sent after this resolves. */
  lastAfter?: Promise<unknown>
  /** Closes the connection after the content. */
  isCutOff?: boolean
  status?: number
}

/**
 * A server with OpenAI's chat completions API that sends the replies of a test and records
 * requests.
 */
export class AModel {
  readonly requests: { messages: { role: string; content: string }[]; tools?: object[] }[] = []
  readonly replies: Reply[] = []
  #server: Server | null = null

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        this.requests.push(JSON.parse(body) as never)
        void answer(response, this.replies.shift() ?? { content: 'I have nothing to say.' })
      })
    })
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  /** All requests it received, as JSON. */
  get captured(): string {
    return JSON.stringify(this.requests)
  }
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.status) {
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    return void response.end('{"error":{"message":"out of order"}}')
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, more: object = {}) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }], ...more })}\n\n`)
  const pieces = reply.content?.match(/.{1,12}/gs) ?? []
  for (const [at, piece] of pieces.entries()) {
    if (at === pieces.length - 1) await reply.lastAfter
    send({ content: piece })
    if (reply.pauseMs) await new Promise((resolve) => setTimeout(resolve, reply.pauseMs))
    if (response.destroyed) return
  }
  if (reply.isCutOff) return void response.destroy()
  if (reply.tool) {
    const { name, args } = reply.tool
    const called = { name, arguments: JSON.stringify(args) }
    send({
      tool_calls: [{ index: 0, id: `call_${Date.now()}`, type: 'function', function: called }],
    })
  }
  send({}, { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })
  response.end('data: [DONE]\n\n')
}

export interface ABankWithAModel extends SampleBank {
  model: AModel
}

/**
 * A bank whose assistants use the stand-in model, with Ada's consent. Ada has two accounts, Grace
 * has one.
 */
export async function aBankWithAModel(
  environment: EnvironmentName = 'sandbox',
): Promise<ABankWithAModel> {
  const model = new AModel()
  const AI_BASE_URL = await model.start()
  const bank = await aSampleBank(environment, false, { AI_BASE_URL, AI_MODEL: 'stand-in' })
  await seedSample(bank)
  const types = ['servicing-agent', 'collections-agent', 'customer-self-service']
  for (const assistantType of types) await consent(bank, assistantType)
  return { ...bank, model, stop: () => (model.stop(), bank.stop()) }
}

/** Activates or lifts a kill switch as an employee. */
export const setKillSwitch = (bank: SampleBank, scope: string, isOn: boolean) =>
  bank.act(
    `mutation ($scope: String!, $isOn: Boolean!) {
      setAssistKillSwitch(scope: $scope, isOn: $isOn) { isOn setBy } }`,
    { scope, isOn },
    { token: bank.token({ subject: 'supervisor' }) },
  )

/** Opens a session about a party; returns its id or the code of the error. */
export async function open(bank: SampleBank, assistantType: string, partyId = 'pty_ada') {
  const { body } = await bank.graph(
    `mutation ($input: CreateAssistSessionInput!) { createAssistSession(input: $input) { sessionId } }`,
    { input: { assistantType, subject: { partyId } } },
  )
  return (body.errors?.[0].extensions.code ?? body.data.createAssistSession.sessionId) as string
}

/** Records Ada's consent to an assistant type, given on paper, or its withdrawal. */
export const consent = (
  bank: SampleBank,
  assistantType: string,
  does: 'grant' | 'withdraw' = 'grant',
) =>
  bank.act(
    `mutation ($input: AssistConsentInput!) { consent: ${does}AssistConsent(input: $input) {
      consentId status provider decidedBy } }`,
    { input: { partyId: 'pty_ada', assistantType, evidence: 'Signed form 7' } },
  )

export async function seedSample(bank: SampleBank): Promise<void> {
  await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "arr_savings",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }`)
  await bank.rest('POST', `${bank.prefix}/posting-instructions`, {
    arrangementId: 'arr_money',
    direction: 'in',
    amount: { amount: '1250.00', currency: 'EUR' },
  })
  for (const document of [
    `mutation { createParty(input: { partyId: "pty_grace", kind: PERSON, givenName: "Grace",
      familyName: "Hopper" }) { partyId } }`,
    `mutation { createCustomer(input: { customerId: "cus_grace", partyId: "pty_grace" }) { customerId } }`,
    `mutation { startKyc(customerId: "cus_grace") { customerId } }`,
    `mutation { passKyc(customerId: "cus_grace", expiresOn: "2999-12-31") { customerId } }`,
    `mutation { activateCustomer(customerId: "cus_grace") { customerId } }`,
    `mutation { openAccountArrangement(input: { arrangementId: "arr_grace", customerId: "cus_grace",
      productId: "prd_current" }) { arrangementId } }`,
  ]) {
    await bank.act(document)
  }
}

let serial = 0

/** Opens a session about Ada and returns its id. */
export async function aSession(bank: SampleBank, more: object = {}): Promise<string> {
  const sessionId = `ses_${process.pid}_${++serial}`
  const input = {
    sessionId,
    assistantType: 'servicing-agent',
    subject: { partyId: 'pty_ada' },
    ...more,
  }
  await bank.act(
    `mutation ($input: CreateAssistSessionInput!) { createAssistSession(input: $input) { sessionId } }`,
    { input },
  )
  return sessionId
}

export const post = (bank: SampleBank, sessionId: string, content: string, more: object = {}) =>
  bank.rest('POST', `/v1/ai/assist/sessions/${sessionId}/messages`, { content, ...more })

export interface SseEvent {
  event: string
  data: any
}

/** Sends a message as `post` does and returns its server-sent events once the stream has ended. */
export async function listenTo(
  bank: SampleBank,
  sessionId: string,
  content: string,
  options: RestOptions = {},
) {
  const path = `/v1/ai/assist/sessions/${sessionId}/messages`
  const headers = { accept: 'text/event-stream' }
  const answer = await bank.rest('POST', path, { content }, { headers, ...options })
  return { ...answer, events: eventsIn(answer.text) }
}

export const kinds = (events: readonly SseEvent[]) => events.map(({ event }) => event)
export const words = (events: readonly SseEvent[]) =>
  events.filter(({ event }) => event === 'sentence').map(({ data }) => data.text as string)

/** The complete events in a text. */
export function eventsIn(text: string): SseEvent[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }))
}

export async function balanceOf(bank: SampleBank, arrangementId: string): Promise<string> {
  const data = await bank.act(`{ balance(arrangementId: "${arrangementId}") { committed } }`)
  return data.balance.committed as string
}

export const approve = (
  bank: SampleBank,
  call: { toolCallId: string; argumentsHash: string },
  by = 'supervisor',
) =>
  bank.graph(
    `mutation ($input: ApproveToolCallInput!) { approveToolCall(input: $input) { state decidedBy result } }`,
    { input: { toolCallId: call.toolCallId, argumentsHash: call.argumentsHash } },
    { token: bank.token({ subject: by }) },
  )

export async function sessionOf(bank: SampleBank, sessionId: string) {
  const data = await bank.act(
    `{ assistSession(sessionId: "${sessionId}") { status endReason usage { inputTokens costMicros }
      toolCalls { toolCallId name state argumentsHash arguments isTainted result decidedBy }
      messages(first: 50) { nodes { role content status finishReason } } }
      verifyAssistTranscript(sessionId: "${sessionId}") { isComplete lines firstBadLine } }`,
  )
  return { ...data.assistSession, transcript: data.verifyAssistTranscript }
}

/** A call of the tool that transfers money. */
export const transferCall = {
  name: 'transfer',
  args: {
    debtorArrangementId: 'arr_money',
    creditorArrangementId: 'arr_savings',
    amount: '40.00',
    currency: 'EUR',
  },
}

/** A session with a transfer that waits for approval. */
export async function aHeldCall(bank: ABankWithAModel) {
  const sessionId = await aSession(bank)
  bank.model.replies.push({ tool: transferCall })
  const { body } = await post(bank, sessionId, 'Move 40.00 EUR to my savings.')
  expect(body).toMatchObject({ status: 'awaiting-approval', finishReason: 'approval-required' })
  const { toolCalls } = await sessionOf(bank, sessionId)
  return { sessionId, call: toolCalls.at(-1) }
}
