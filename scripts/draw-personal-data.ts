import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { personalDataPage, personalDataPath } from './personal-data-page.ts'

// Writes the page with the register of personal data. A test checks that it is current.
const options = await resolveConfig(personalDataPath)
const page = await format(personalDataPage(), { ...options, parser: 'markdown' })
writeFileSync(personalDataPath, page)
