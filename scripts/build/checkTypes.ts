import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import webpack, { type Compiler } from 'webpack'
import { root } from '../root.ts'

const typeScript = join(root, 'node_modules/typescript-7/bin/tsc')

/** Returns the type errors of a package with its parts of shared; an empty text if it has none. */
function findTypeErrors(folder: string) {
  const options = ['-p', resolve(root, folder), '--checkers', '1', '--pretty', 'false']
  return promisify(execFile)(process.execPath, [typeScript, ...options], { cwd: root }).then(
    () => '',
    ({ stdout, message }: { stdout: string; message: string }) => stdout || message,
  )
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
