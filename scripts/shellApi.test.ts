import { readFileSync, writeFileSync } from 'node:fs'
import { SHELL_API } from '../shared/src/contract/release/shellApi'
import {
  listBreakingChanges,
  readCurrentInterface,
  readReport,
  renderReport,
  reportFile,
  type ShellInterface,
} from './shellApi'

const currentInterface = readCurrentInterface()
const getMajor = (version: string) => version.split('.')[0]

// Run `WRITE_SHELL=1 pnpm unit shellApi` after a change of the modules that the host shares.
test('the shell API matches its report and has no breaking change within a major version', () => {
  const recordedInterface = readReport()
  const newReport = renderReport(SHELL_API, currentInterface)
  if (readFileSync(reportFile, 'utf8') === newReport) return
  if (getMajor(recordedInterface.version) === getMajor(SHELL_API))
    expect(listBreakingChanges(recordedInterface, currentInterface)).toEqual([])
  if (process.env.WRITE_SHELL) writeFileSync(reportFile, newReport)
  expect(readFileSync(reportFile, 'utf8')).toBe(newReport)
})

/** The comparison of these modules needs none of the others. */
const comparedFiles = ['ui/toolbar.d.ts', 'ui/status.d.ts', 'ui/panel.d.ts', 'ui/batch.d.ts']
const comparedInterface = {
  ...currentInterface,
  files: new Map(comparedFiles.map((file) => [file, currentInterface.files.get(file)!])),
}

type Replacement = [file: string, from: string | RegExp, to: string]
/** Returns the interface with some declarations replaced. */
function replaceDeclarations(...changes: Replacement[]): ShellInterface {
  const files = new Map(comparedInterface.files)
  for (const [file, from, to] of changes) {
    const text = files.get(file)!
    files.set(file, text.replace(from, to))
    expect(files.get(file)).not.toBe(text)
  }
  return { ...comparedInterface, files }
}

const props = 'children: ReactNode;'

test('additions and optional parameters are not breaking', () => {
  const extendedInterface = replaceDeclarations(
    ['ui/toolbar.d.ts', props, `${props} dense?: boolean;`],
    ['ui/toolbar.d.ts', /$/, '\nexport declare const Footer: () => null;'],
  )
  expect(listBreakingChanges(comparedInterface, extendedInterface)).toEqual([])
})

test('removed exports, new required parameters, removed modules and library major versions are breaking', () => {
  const reducedInterface = replaceDeclarations(
    ['ui/toolbar.d.ts', props, `${props} dense: boolean;`],
    ['ui/status.d.ts', /export declare (const|function) statusColumn.*/, ''],
  )
  reducedInterface.files.delete('ui/panel.d.ts')
  const libraries = currentInterface.libraries.map((library) =>
    library.replace(/^react 19$/, 'react 20'),
  )
  expect(listBreakingChanges(comparedInterface, { ...reducedInterface, libraries }).sort()).toEqual(
    [
      expect.stringMatching(/^@iot\/shared\/ui\/panel: Cannot find module/),
      expect.stringMatching(/^@iot\/shared\/ui\/status: Property 'statusColumn' is missing/),
      expect.stringMatching(/^@iot\/shared\/ui\/toolbar: [^]*'dense' is missing/),
      'react 19 is not what the host brings any more',
    ],
  )
})
