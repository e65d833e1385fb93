import { readFileSync, writeFileSync } from 'node:fs'
import { SHELL_API } from '../shared/src/contract/shellApi'
import { breaks, present, readReport, report, reportFile, type Interface } from './shellApi'

const now = present()
const major = (version: string) => version.split('.')[0]

/** The interface as if somebody had changed one declaration. */
function changed(file: string, from: string | RegExp, to: string): Interface {
  const files = new Map(now.files)
  const text = files.get(file)!
  files.set(file, text.replace(from, to))
  expect(files.get(file)).not.toBe(text)
  return { ...now, files }
}

// `WRITE_SHELL=1 pnpm unit shellApi` after a change of what the host shares.
test('what the host brings is what its report says, and breaks no remote of the same major version', () => {
  const known = readReport()
  if (major(known.version) === major(SHELL_API)) expect(breaks(known, now)).toEqual([])
  const made = report(SHELL_API, now)
  if (process.env.WRITE_SHELL) writeFileSync(reportFile, made)
  expect(readFileSync(reportFile, 'utf8')).toBe(made)
})

test('a value that is gone or asks for more breaks; one that is new or takes more does not', () => {
  const props = 'children: ReactNode;'
  expect(breaks(now, changed('ui/toolbar.d.ts', props, `${props} dense?: boolean;`))).toEqual([])
  expect(
    breaks(now, changed('ui/toolbar.d.ts', /$/, '\nexport declare const Footer: () => null;')),
  ).toEqual([])
  expect(breaks(now, changed('ui/toolbar.d.ts', props, `${props} dense: boolean;`))).toEqual([
    expect.stringMatching(/^@iot\/shared\/ui\/toolbar: [^]*'dense' is missing/),
  ])
  expect(breaks(now, changed('ui/toolbar.d.ts', /export declare const CreateB.*/, ''))).toEqual([
    expect.stringMatching(/^@iot\/shared\/ui\/toolbar: Property 'CreateButton' is missing/),
  ])
})

test('a module that is gone breaks, and so does another major version of a library', () => {
  const files = new Map(now.files)
  files.delete('ui/toolbar.d.ts')
  expect(breaks(now, { ...now, files })).toEqual([
    expect.stringMatching(/^@iot\/shared\/ui\/toolbar: Cannot find module/),
  ])
  const libraries = now.libraries.map((library) => library.replace(/^react 19$/, 'react 20'))
  expect(breaks(now, { ...now, libraries })).toEqual([
    'react 19 is not what the host brings any more',
  ])
})
