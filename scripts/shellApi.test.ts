import { readFileSync, writeFileSync } from 'node:fs'
import { SHELL_API } from '../shared/src/contract/shellApi'
import { breaks, present, readReport, report, reportFile, type Interface } from './shellApi'

const now = present()
const major = (version: string) => version.split('.')[0]

type Change = [file: string, from: string | RegExp, to: string]
/** Returns the interface with some declarations replaced. */
function changed(...changes: Change[]): Interface {
  const files = new Map(now.files)
  for (const [file, from, to] of changes) {
    const text = files.get(file)!
    files.set(file, text.replace(from, to))
    expect(files.get(file)).not.toBe(text)
  }
  return { ...now, files }
}

// Run `WRITE_SHELL=1 pnpm unit shellApi` after a change of the modules that the host shares.
test('what the host brings is what its report says, and breaks no remote of the same major version', () => {
  const known = readReport()
  if (major(known.version) === major(SHELL_API)) expect(breaks(known, now)).toEqual([])
  const made = report(SHELL_API, now)
  if (process.env.WRITE_SHELL) writeFileSync(reportFile, made)
  expect(readFileSync(reportFile, 'utf8')).toBe(made)
})

const props = 'children: ReactNode;'

test('what is new or takes more breaks nothing', () => {
  const more = changed(
    ['ui/toolbar.d.ts', props, `${props} dense?: boolean;`],
    ['ui/toolbar.d.ts', /$/, '\nexport declare const Footer: () => null;'],
  )
  expect(breaks(now, more)).toEqual([])
})

test('a value that is gone or asks for more breaks, a module that is gone, and another major version of a library', () => {
  const less = changed(
    ['ui/toolbar.d.ts', props, `${props} dense: boolean;`],
    ['ui/status.d.ts', /export declare (const|function) statusColumn.*/, ''],
  )
  less.files.delete('ui/panel.d.ts')
  const libraries = now.libraries.map((library) => library.replace(/^react 19$/, 'react 20'))
  expect(breaks(now, { ...less, libraries }).sort()).toEqual([
    expect.stringMatching(/^@iot\/shared\/ui\/panel: Cannot find module/),
    expect.stringMatching(/^@iot\/shared\/ui\/status: Property 'statusColumn' is missing/),
    expect.stringMatching(/^@iot\/shared\/ui\/toolbar: [^]*'dense' is missing/),
    'react 19 is not what the host brings any more',
  ])
})
