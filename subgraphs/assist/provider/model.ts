import type { Bank } from '../../_kernel/bank.ts'
import { deterministicProvider } from './deterministic.ts'
import { openAiProvider } from './openai.ts'
import type { Provider } from './provider.ts'

const providers = new WeakMap<Bank, Provider>()

/** The provider of an environment: the configured model, or else the deterministic provider. */
export function providerOf(bank: Bank): Provider {
  let provider = providers.get(bank)
  if (!provider) {
    const { assistModel } = bank.config
    provider = assistModel ? openAiProvider(assistModel) : deterministicProvider
    providers.set(bank, provider)
  }
  return provider
}
