import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import webpack, { type Compiler } from 'webpack'
import { root } from '../root.ts'

const typeScript = join(root, 'node_modules/typescript-7/bin/tsc')

/** Returns the type errors of a package with its parts of shared; an empty text if it has none. */
async function findTypeErrors(folder: string) {
  const options = ['-p', resolve(root, folder), '--checkers', '1', '--pretty', 'false']
  const child = spawn(process.execPath, [typeScript, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return code === 0 ? '' : output || `tsc ended with ${code}`
}

/**
 * Fails the build of a package whose sources have type errors, because its loader removes types without reading them.
 * The check runs beside the build.
 */
export class CheckTypes {
  constructor(private readonly folder: string) {}

  apply(compiler: Compiler) {
    let errors: Promise<string> | undefined
    compiler.hooks.beforeRun.tap('CheckTypes', () => {
      errors = findTypeErrors(this.folder)
    })
    compiler.hooks.afterCompile.tapPromise('CheckTypes', async (compilation) => {
      // Child compilations have nothing to add.
      if (compilation.compiler !== compiler || !errors) return
      const typeErrors = await errors
      if (typeErrors)
        compilation.errors.push(
          new webpack.WebpackError(`${this.folder}: type errors\n${typeErrors}`),
        )
    })
  }
}
