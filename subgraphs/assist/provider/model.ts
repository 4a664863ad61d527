import type { Bank } from '../../../kernel/environment/bank.ts'
import { deterministicProvider } from './deterministic.ts'
import { openAiProvider } from './openai.ts'
import type { Provider } from './provider.ts'

const providers = new WeakMap<Bank, Provider>()

/** Returns the provider of the configured model; without one, the deterministic provider. */
export function providerOf(bank: Bank): Provider {
  let provider = providers.get(bank)
  if (!provider) {
    const { assistModel } = bank.config
    provider = assistModel ? openAiProvider(assistModel) : deterministicProvider
    providers.set(bank, provider)
  }
  return provider
}
