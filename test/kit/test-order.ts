import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects whose files take long start first, so that the run ends with many short files. */
const projects = ['mocked', 'programs', 'bank', 'domain']

/** Tests of kills take minutes in a few lines: within a project, they start before larger files. */
const longFolder = '/test/chaos/'

/**
 * Orders the test files by project, then as vitest does: by the duration of the last run, or by size
 * if there was none, as in CI.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (moduleId.includes(longFolder) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
