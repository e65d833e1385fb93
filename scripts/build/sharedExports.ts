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
export const sharedName = (prefix: string, request: string) =>
  prefix + request.slice(2).replace(/\/index\.js$|\.tsx?$/, '')

export const sharedKey = (module: Module): string[] =>
  module.type === 'consume-shared-module'
    ? [(module as unknown as { options: { shareKey: string } }).options.shareKey]
    : []

/**
 * Records which exports of shared modules a remote uses and which the host offers. It runs after webpack has
 * determined the used exports and before it concatenates modules.
 */
export class SharedExports {
  private readonly found: Record<'uses' | 'offers', Names> = { uses: {}, offers: {} }
  get uses() {
    return inOrder(this.found.uses)
  }
  get offers() {
    return inOrder(this.found.offers)
  }

  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('SharedExports', (compilation) =>
      compilation.hooks.afterOptimizeDependencies.tap('SharedExports', (modules) => {
        const graph = compilation.moduleGraph
        const usedOf = (module: Module) => {
          const names = [...graph.getIncomingConnections(module)]
            .filter((one) => one.dependency && one.getActiveState(undefined) !== false)
            .map(({ dependency }) => idsOf(dependency!, graph)?.[0])
          return [...new Set(names)].filter((name) => name !== undefined).sort()
        }
        const exportsOf = (module: Module) => {
          const provided = graph.getProvidedExports(module)
          if (!Array.isArray(provided)) return ['*']
          const isPlain = module.buildMeta?.exportsType === 'namespace'
          return [...new Set([...provided, ...(isPlain ? [] : ['default'])])].sort()
        }
        for (const module of modules) {
          for (const key of sharedKey(module)) this.found.uses[key] = usedOf(module)
          if (module.nameForCondition()?.endsWith('/host/src/federation/shared.ts'))
            for (const { dependency, module: shared } of graph.getOutgoingConnections(module)) {
              const request = (dependency as { request?: string } | null)?.request ?? ''
              for (const key of named[request] ?? (request.startsWith('.') ? [] : [request]))
                this.found.offers[key] = exportsOf(shared)
            }
          const [, prefix] = module.type.startsWith('javascript')
            ? (sharedFolders.find(([folder]) => contextOf(module)?.endsWith(folder)) ?? [])
            : []
          if (prefix)
            for (const { dependency, module: shared } of graph.getOutgoingConnections(module)) {
              const request = (dependency as { userRequest?: string } | null)?.userRequest
              if (request?.startsWith('./'))
                this.found.offers[sharedName(prefix, request)] = exportsOf(shared)
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
const inOrder = (names: Names) =>
  Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Modules that the host offers under names other than their requests. */
const named: Record<string, string[]> = {
  './routerParts': ['react-router', 'react-router-dom'],
  './common': [],
}

const idsOf = (dependency: Dependency, graph: unknown) =>
  (dependency as { getIds?: (graph: unknown) => string[] }).getIds?.(graph)

/** Returns the folder of a context module. */
const contextOf = (module: Module) =>
  (module as { options?: { resource?: string | false } }).options?.resource || undefined
