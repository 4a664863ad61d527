import { beforeEach } from 'vitest'

/** The title of a table-driven test names its case, so that a failure does. */
beforeEach(({ task }) => {
  if (/\bundefined\b|\[object |\[Function/.test(task.fullTestName)) {
    throw new Error(`The title of a test does not name its case: ${task.fullTestName}`)
  }
})
