import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { sourceMapsFolder } from '@iot/shared/contract/release/release'

/** Matches positions in stacks of all browsers: `https://…/remotes/system/<build>/<file>.js:line:column`. */
const positionPattern =
  /(?:https?:\/\/[^\s()@/]+)?\/((?:host|remotes\/\w{1,32})\/[0-9a-z][0-9a-z.-]{3,63})\/([\w-][\w@.-]{0,99}\.js):(\d{1,9}):(\d{1,9})/g
/** Maximum number of source maps per stack, because anybody can send a stack and each file in it costs a map. */
const maxMaps = 12

export type DecodedStack = {
  /** The stack with source positions instead of those in the builds; empty if none could be decoded. */
  decoded: string
  /** Why some positions are not decoded; empty if all are. */
  undecoded: string
}

/**
 * Translates the positions of a browser stack into source positions, using the source maps of the builds that still
 * exist.
 */
export async function decodeStack(stack: string, site: string | undefined): Promise<DecodedStack> {
  const createUndecoded = (undecoded: string) => ({ decoded: '', undecoded })
  if (stack === '') return createUndecoded('')
  if (site === undefined) return createUndecoded('控制台的文件不在这台服务器上')
  const positions = [...stack.matchAll(positionPattern)]
  if (positions.length === 0) return createUndecoded('调用栈没有指向任何构建的文件')

  const maps = new Map<string, TraceMap | undefined>()
  const buildsWithoutMap = new Set<string>()
  for (const [, build, file] of positions) {
    const path = join(build!, sourceMapsFolder, `${file}.map.gz`)
    if (maps.has(path) || maps.size >= maxMaps) continue
    const map = await readMap(join(site, path))
    maps.set(path, map)
    if (!map) buildsWithoutMap.add(build!)
  }
  if ([...maps.values()].every((map) => !map))
    return createUndecoded(describeMissingMaps(buildsWithoutMap))

  const decoded = stack.replace(
    positionPattern,
    (position, build: string, file: string, line, column) => {
      const map = maps.get(join(build, sourceMapsFolder, `${file}.map.gz`))
      // Browsers count columns from 1, source maps from 0.
      const originalPosition =
        map && originalPositionFor(map, { line: +line || 1, column: Math.max(0, column - 1) })
      return originalPosition?.source
        ? `${originalPosition.source}:${originalPosition.line}:${originalPosition.column + 1}`
        : position
    },
  )
  return {
    decoded,
    undecoded: buildsWithoutMap.size > 0 ? describeMissingMaps(buildsWithoutMap) : '',
  }
}

const describeMissingMaps = (builds: Set<string>) =>
  `没有这些构建的源码映射（已被清理，或发布时没有带上）：${[...builds].join('、')}`

const readMap = (path: string) =>
  readFile(path)
    .then(async (compressed) => new TraceMap((await promisify(gunzip)(compressed)).toString()))
    .catch(() => undefined)
