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
  private namesByKind: Record<'uses' | 'offers', Names> = { uses: {}, offers: {} }
  /** Modules of a remote's own code that only the host may carry. */
  hostOnlyModules: string[] = []
  get uses() {
    return sortNames(this.namesByKind.uses)
  }
  get offers() {
    return sortNames(this.namesByKind.offers)
  }

  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('SharedExports', (compilation) =>
      compilation.hooks.afterOptimizeDependencies.tap('SharedExports', (modules) => {
        const ownModules = collectOwnModules(compilation)
        this.namesByKind = { uses: {}, offers: {} }
        this.hostOnlyModules = [...ownModules]
          .map((module) => module.nameForCondition() ?? '')
          .filter((path) => hostOnlyPattern.test(path))
        for (const module of ownModules)
          if (isConsumed(module))
            this.namesByKind.uses[getSharedKey(module)] = getUsedNames(
              compilation,
              module,
              ownModules,
            )
        for (const module of modules)
          if (isProvided(module))
            this.namesByKind.offers[getProvidedKey(module)] = getProvidedNames(compilation, module)
      }),
    )
  }
}

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

/**
 * The names are sorted, because webpack finds modules in the order their files were read, which varies between
 * builds.
 */
const sortNames = (names: Names) =>
  Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))

const getReferencedIds = (dependency: Dependency, graph: unknown) =>
  (dependency as { getIds?: (graph: unknown) => string[] }).getIds?.(graph)
