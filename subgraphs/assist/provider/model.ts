import type { Bank } from '../../../kernel/environment/bank.ts'
import { deterministicProvider } from './deterministic.ts'
import { openAiProvider } from './openai.ts'
import type { Provider } from './provider.ts'

/** The provider of each model. The credentials of a model can change while the program runs. */
const providers = new WeakMap<object, Provider>()

/** Returns the provider of the configured model; without one, the deterministic provider. */
export function providerOf(bank: Bank): Provider {
  const { assistModel } = bank.config
  if (!assistModel) return deterministicProvider
  const provider = providers.get(assistModel) ?? openAiProvider(assistModel)
  providers.set(assistModel, provider)
  return provider
}
