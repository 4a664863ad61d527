export { createBankClient } from './client.ts'
export type { BankClient, BankClientOptions, Connection, GraphOperations } from './client.ts'
export type { BankEvent, EventOptions } from './events.ts'
export type { PartialResult } from './graph.ts'
export { browserKeyStore, type KeyStore } from './keys.ts'
export { finishLogIn, startLogIn, type LogInOptions } from './log-in.ts'
export type * from './operations.generated.ts'
export type { Attempt, CallOptions, ClientOptions, ListOptions, ReadOptions } from './options.ts'
export { ItemList, type Page } from './pages.ts'
export {
  BankProblem,
  ConnectionFailure,
  type ProblemCode,
  type ProblemError,
  type ProblemMembers,
} from './problem.ts'
export {
  browserProofKeyStore,
  type PrivateJwk,
  type ProofKeyStore,
  type ProofOption,
} from './proof-keys.ts'
export type { StreamTransport } from './streams.ts'
export type { TokenProofs, TokenSource } from './token-source.ts'
export { clientCredentials, fixedToken, type ClientCredentials } from './tokens.ts'
export type { GraphDocument, TypedDocument } from './typed-document.ts'
export {
  InvalidDelivery,
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
  type DeliveredEvent,
  type Delivery,
  type Message,
} from './webhooks.ts'
