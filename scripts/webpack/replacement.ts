import { basename } from 'node:path'
import webpack, { type Compiler, type ResolveData } from 'webpack'

/**
 * Replaces a module of a library. The build fails if the module is no longer imported, for example after an update
 * that moved it, because the bundle would otherwise grow unnoticed.
 */
export class Replacement {
  constructor(
    private readonly file: string,
    private readonly isReplaced: (resolveData: ResolveData) => boolean,
  ) {}

  apply(compiler: Compiler) {
    const replace = (resolveData: ResolveData) => {
      if (this.isReplaced(resolveData)) resolveData.request = this.file
    }
    new webpack.NormalModuleReplacementPlugin(/./, replace).apply(compiler)
    compiler.hooks.thisCompilation.tap('Replacement', (compilation) =>
      compilation.hooks.finishModules.tap('Replacement', (modules) => {
        if ([...modules].some((module) => module.nameForCondition() === this.file)) return
        compilation.errors.push(
          new webpack.WebpackError(
            `${basename(this.file)} takes no module's place any more: see where the library keeps it now`,
          ),
        )
      }),
    )
  }
}
