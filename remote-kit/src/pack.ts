import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../../scripts/root.ts'

const require = createRequire(import.meta.url)
const kit = join(root, 'remote-kit')
const dist = join(kit, 'dist')

/** The kit contains the same files as the workspace at the same places, so that the build is written only once. */
const parts = [
  'tsconfig.base.json',
  'scripts/root.ts',
  'scripts/webpack',
  'scripts/build',
  'scripts/dev',
  ...['refused.ts', 'releases.ts', 'signature.ts'].map((file) => `server/src/site/${file}`),
  'shared/src/contract',
  'shared/src/screens',
  ...['bin.mjs', 'resolve.mjs', 'tsconfig.remote.json', 'src', 'template'].map(
    (part) => `remote-kit/${part}`,
  ),
]

rmSync(dist, { recursive: true, force: true })
for (const part of parts)
  cpSync(join(root, part), join(dist, part), {
    recursive: true,
    filter: (path) => !/\.test\.tsx?$/.test(path),
  })
execFileSync(
  process.execPath,
  [require.resolve('typescript/bin/tsc'), '-p', join(kit, 'tsconfig.types.json')],
  { stdio: 'inherit' },
)
cpSync(join(root, 'shared/src/css.d.ts'), join(dist, 'types/css.d.ts'))
