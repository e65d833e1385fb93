import type { Chunk, Compilation, Compiler, Module } from 'webpack'

const consumeType = 'consume-shared-module'
const provideType = 'provide-module'

export const isConsumed = (module: Module) => module.type === consumeType
export const isProvided = (module: Module) => module.type === provideType

/** Returns the name of a consumed shared module, such as `antd/es/table`. */
export const getSharedKey = (module: Module) =>
  isConsumed(module) ? (module as Module & { options: { shareKey: string } }).options.shareKey : ''
/** Returns the name of a provided shared module. */
export const getProvidedKey = (module: Module) =>
  /^provide module \([^)]*\) (.+)@[^@]+ = /.exec(module.identifier())?.[1] ?? ''

/** Returns the module behind a consumed or provided shared module. */
export function getSharedModule({ moduleGraph }: Compilation, shared: Module) {
  const dependency = shared.blocks[0]?.dependencies[0] ?? shared.dependencies[0]
  return (dependency && moduleGraph.getModule(dependency)) ?? undefined
}

type WalkOptions = {
  /** Follows `import()` as well. */
  isDeep?: boolean
  /** Follows shared modules to the copies that this build carries. */
  isThroughShared?: boolean
}

/** Collects the modules that some modules import. */
export function collectModules(
  compilation: Compilation,
  starts: Iterable<Module>,
  { isDeep = false, isThroughShared = false }: WalkOptions,
) {
  const { moduleGraph } = compilation
  const reachedModules = new Set(starts)
  for (const module of reachedModules) {
    if (isConsumed(module) || isProvided(module)) {
      const target = isThroughShared && getSharedModule(compilation, module)
      if (target) reachedModules.add(target)
      continue
    }
    const blocks = isDeep ? module.blocks : []
    for (const { dependencies } of [module, ...blocks])
      for (const dependency of dependencies) {
        const target = moduleGraph.getModule(dependency)
        if (target) reachedModules.add(target)
      }
  }
  return reachedModules
}

/** Returns the modules of a remote's own code, without the copies of shared modules that it carries for other hosts. */
export function collectOwnModules(compilation: Compilation) {
  const routes = [...compilation.modules].filter((module) =>
    /[\\/]src[\\/]routes\.tsx$/.test(module.nameForCondition() ?? ''),
  )
  return collectModules(compilation, routes, { isDeep: true })
}

/** True for a chunk that loads only when a host lacks a shared module. */
export const isFallbackChunk = (chunk: Chunk) => {
  const origins = [...chunk.groupsIterable].flatMap((group) => group.origins)
  return (
    origins.length > 0 &&
    origins.every(({ module }) => module && (isConsumed(module) || isProvided(module)))
  )
}

/**
 * Computes sets of modules after the module graph is complete, for the `test` functions of cache groups. Consumed
 * shared modules stay in their own chunks, because a chunk that held a module and its consumer would wait for itself.
 */
export class ModuleSets {
  private readonly sets = new Map<string, Set<Module>>()

  constructor(
    private readonly compute: (compilation: Compilation) => Record<string, Set<Module>>,
  ) {}

  apply(compiler: Compiler) {
    compiler.hooks.compilation.tap('ModuleSets', (compilation) =>
      compilation.hooks.optimizeChunks.tap({ name: 'ModuleSets', stage: -100 }, () => {
        for (const [name, modules] of Object.entries(this.compute(compilation)))
          this.sets.set(name, modules)
      }),
    )
  }

  createCacheGroup(name: string, priority: number) {
    return {
      name,
      priority,
      enforce: true,
      chunks: ({ name }: Chunk) => name !== 'main',
      test: (module: Module) => !isConsumed(module) && this.sets.get(name)?.has(module) === true,
    }
  }
}
