import type { Compiler, Dependency, Module } from 'webpack'

type Names = Record<string, string[]>

/** Folders whose modules the host shares: a part of the path, and the prefix of the shared module names. */
export const sharedFolders: [folder: string, prefix: string][] = [
  ['/antd/es', 'antd/es/'],
  ['/ahooks/es', 'ahooks/es/'],
  ...['ui', 'plan', 'control', 'session', 'client'].map((part): [string, string] => [
    `/shared/src/${part}`,
    `@iot/shared/${part}/`,
  ]),
]
/** Converts a request to a shared name: `./table/index.js` → `antd/es/table` */
export const toSharedName = (prefix: string, request: string) =>
  prefix + request.slice(2).replace(/\/index\.js$|\.tsx?$/, '')

export const getSharedKeys = (module: Module): string[] =>
  module.type === 'consume-shared-module'
    ? [(module as unknown as { options: { shareKey: string } }).options.shareKey]
    : []

/**
 * Records which exports of shared modules a remote uses and which the host offers. It runs after webpack has
 * determined the used exports and before it concatenates modules.
 */
export class SharedExports {
  private readonly namesByKind: Record<'uses' | 'offers', Names> = { uses: {}, offers: {} }
  get uses() {
    return sortNames(this.namesByKind.uses)
  }
  get offers() {
    return sortNames(this.namesByKind.offers)
  }

  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('SharedExports', (compilation) =>
      compilation.hooks.afterOptimizeDependencies.tap('SharedExports', (modules) => {
        const graph = compilation.moduleGraph
        const getUsedNames = (module: Module) => {
          const names = [...graph.getIncomingConnections(module)]
            .filter(
              (connection) =>
                connection.dependency && connection.getActiveState(undefined) !== false,
            )
            .map(({ dependency }) => getReferencedIds(dependency!, graph)?.[0])
          return [...new Set(names)].filter((name) => name !== undefined).sort()
        }
        const getProvidedNames = (module: Module) => {
          const providedExports = graph.getProvidedExports(module)
          if (!Array.isArray(providedExports)) return ['*']
          const isEsModule = module.buildMeta?.exportsType === 'namespace'
          return [...new Set([...providedExports, ...(isEsModule ? [] : ['default'])])].sort()
        }
        for (const module of modules) {
          for (const key of getSharedKeys(module)) this.namesByKind.uses[key] = getUsedNames(module)
          if (module.nameForCondition()?.endsWith('/host/src/federation/sharedModules.ts'))
            for (const { dependency, module: sharedModule } of graph.getOutgoingConnections(
              module,
            )) {
              const request = (dependency as { request?: string } | null)?.request ?? ''
              for (const key of aliasesByRequest[request] ??
                (request.startsWith('.') ? [] : [request]))
                this.namesByKind.offers[key] = getProvidedNames(sharedModule)
            }
          const [, prefix] = module.type.startsWith('javascript')
            ? (sharedFolders.find(([folder]) => getContextFolder(module)?.endsWith(folder)) ?? [])
            : []
          if (prefix)
            for (const { dependency, module: sharedModule } of graph.getOutgoingConnections(
              module,
            )) {
              const request = (dependency as { userRequest?: string } | null)?.userRequest
              if (request?.startsWith('./'))
                this.namesByKind.offers[toSharedName(prefix, request)] =
                  getProvidedNames(sharedModule)
            }
        }
      }),
    )
  }
}

/**
 * The names are sorted, because webpack finds modules in the order their files were read, which varies between
 * builds.
 */
const sortNames = (names: Names) =>
  Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Modules that the host offers under names other than their requests. */
const aliasesByRequest: Record<string, string[]> = {
  './routerParts': ['react-router', 'react-router-dom'],
  './eagerModules': [],
}

const getReferencedIds = (dependency: Dependency, graph: unknown) =>
  (dependency as { getIds?: (graph: unknown) => string[] }).getIds?.(graph)

const getContextFolder = (module: Module) =>
  (module as { options?: { resource?: string | false } }).options?.resource || undefined
