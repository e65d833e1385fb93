import { basename } from 'node:path'
import webpack, { type Compiler, type ResolveData } from 'webpack'

/**
 * Takes the place of a module of a library. The build fails where nothing asks for it any more, as after an update that
 * moved or renamed the file: else it would only grow.
 */
export class Replacement {
  constructor(
    private readonly file: string,
    private readonly isMeant: (asked: ResolveData) => boolean,
  ) {}

  apply(compiler: Compiler) {
    const replace = (asked: ResolveData) => {
      if (this.isMeant(asked)) asked.request = this.file
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
