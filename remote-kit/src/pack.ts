import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/root.ts'

const kitFolder = join(root, 'remote-kit')
const distFolder = join(kitFolder, 'dist')

/** The kit contains the same files as the workspace at the same places, so that the build is written only once. */
const packedPaths = [
  'tsconfig.base.json',
  'scripts/root.ts',
  'scripts/webpack',
  'scripts/build',
  'scripts/dev',
  'server/src/site',
  'shared/src/contract',
  'shared/src/screens',
  ...['bin.mjs', 'resolve.mjs', 'tsconfig.remote.json', 'src', 'template'].map(
    (part) => `remote-kit/${part}`,
  ),
]

rmSync(distFolder, { recursive: true, force: true })
for (const packedPath of packedPaths)
  cpSync(join(root, packedPath), join(distFolder, packedPath), {
    recursive: true,
    filter: (path) => !/\.test\.tsx?$/.test(path),
  })
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
// `pnpm types` checks the same files, so they are only declared here.
const compilerOptions = [
  '-p',
  join(kitFolder, 'tsconfig.types.json'),
  '--noCheck',
  '--checkers',
  '1',
]
execFileSync(process.execPath, [compiler, ...compilerOptions], { stdio: 'inherit' })
cpSync(join(root, 'shared/src/css.d.ts'), join(distFolder, 'types/css.d.ts'))
