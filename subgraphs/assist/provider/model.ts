import type { Bank } from '../../_kernel/bank.ts'
import { deterministicProvider } from './deterministic.ts'
import { openAiProvider } from './openai.ts'
import type { Provider } from './provider.ts'

const providers = new WeakMap<Bank, Provider>()

/** The model of an environment: the one its settings name, else none and the assistant of fixed intents. */
export function providerOf(bank: Bank): Provider {
  let provider = providers.get(bank)
  if (!provider) {
    const { assistModel } = bank.config
    provider = assistModel ? openAiProvider(assistModel) : deterministicProvider
    providers.set(bank, provider)
  }
  return provider
}
