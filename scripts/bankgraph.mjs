#!/usr/bin/env node
/**
 * The command `bankgraph` in the folder of the bank, so that `npx bankgraph` runs the code of this
 * repository and never a package of this name from a registry.
 */
import { register } from 'tsx/esm/api'

register()
await import('../sdk/cli/bankgraph.ts')
