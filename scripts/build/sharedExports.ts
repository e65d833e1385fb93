import type { Compilation, Compiler, Dependency, Module } from 'webpack'
import { hostOnlyPattern } from '../webpack/shared.ts'
import {
  collectOwnModules,
  getProvidedKey,
  getSharedKey,
  getSharedModule,
  isConsumed,
  isProvided,
} from '../webpack/moduleSets.ts'

type Names = Record<string, string[]>

/**
 * Records which exports of shared modules a remote uses and which the host offers. It runs after webpack has
 * determined the used exports and before it concatenates modules.
 */
export class SharedExports {
  uses: Names = {}
  offers: Names = {}
  /** Modules of a remote's own code that only the host may carry. */
  hostOnlyModules: string[] = []

  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('SharedExports', (compilation) =>
      compilation.hooks.afterOptimizeDependencies.tap('SharedExports', (modules) => {
        const ownModules = collectOwnModules(compilation)
        this.hostOnlyModules = [...ownModules]
          .map((module) => module.nameForCondition() ?? '')
          .filter((path) => hostOnlyPattern.test(path))
        this.uses = mapNames([...ownModules].filter(isConsumed), getSharedKey, (module) =>
          getUsedNames(compilation, module, ownModules),
        )
        this.offers = mapNames([...modules].filter(isProvided), getProvidedKey, (module) =>
          getProvidedNames(compilation, module),
        )
      }),
    )
  }
}

/**
 * The names are sorted, because webpack finds modules in the order their files were read, which varies between
 * builds.
 */
const mapNames = (
  modules: Module[],
  getKey: (module: Module) => string,
  getNames: (module: Module) => string[],
): Names =>
  Object.fromEntries(
    modules
      .map((module) => [getKey(module), getNames(module)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

function getUsedNames({ moduleGraph }: Compilation, module: Module, ownModules: Set<Module>) {
  const names = [...moduleGraph.getIncomingConnections(module)]
    .filter(
      (connection) =>
        connection.dependency &&
        connection.originModule &&
        ownModules.has(connection.originModule) &&
        connection.getActiveState(undefined) !== false,
    )
    .map(({ dependency }) => getReferencedIds(dependency!, moduleGraph)?.[0])
  return [...new Set(names)].filter((name) => name !== undefined).sort()
}

function getProvidedNames(compilation: Compilation, provided: Module) {
  const module = getSharedModule(compilation, provided)
  const providedExports = module && compilation.moduleGraph.getProvidedExports(module)
  if (!Array.isArray(providedExports)) return ['*']
  const isEsModule = module!.buildMeta?.exportsType === 'namespace'
  return [...new Set([...providedExports, ...(isEsModule ? [] : ['default'])])].sort()
}

const getReferencedIds = (dependency: Dependency, graph: unknown) =>
  (dependency as { getIds?: (graph: unknown) => string[] }).getIds?.(graph)
