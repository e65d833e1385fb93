import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { mapsFolder } from '@iot/shared/contract/release'

/** Matches positions in stacks of all browsers: `https://…/remotes/system/<build>/<file>.js:line:column`. */
const places =
  /(?:https?:\/\/[^\s()@/]+)?\/((?:host|remotes\/\w{1,32})\/[0-9a-z][0-9a-z.-]{3,63})\/([\w-][\w@.-]{0,99}\.js):(\d{1,9}):(\d{1,9})/g
/** Maximum number of source maps per stack, because anybody can send a stack and each file in it costs a map. */
const most = 12

export type Decoded = {
  /** The stack is given with source positions, and is empty if none could be decoded. */
  decoded: string
  /** The reason tells why positions are not decoded, and is empty if all are. */
  undecoded: string
}

/**
 * Translates the positions of a browser stack into source positions, using the source maps of the builds that still
 * exist.
 */
export async function decode(stack: string, site: string | undefined): Promise<Decoded> {
  const refuse = (undecoded: string) => ({ decoded: '', undecoded })
  if (stack === '') return refuse('')
  if (site === undefined) return refuse('控制台的文件不在这台服务器上')
  const found = [...stack.matchAll(places)]
  if (found.length === 0) return refuse('调用栈没有指向任何构建的文件')

  const maps = new Map<string, TraceMap | undefined>()
  const lacking = new Set<string>()
  for (const [, build, file] of found) {
    const path = join(build!, mapsFolder, `${file}.map.gz`)
    if (maps.has(path) || maps.size >= most) continue
    const map = await mapIn(join(site, path))
    maps.set(path, map)
    if (!map) lacking.add(build!)
  }
  if ([...maps.values()].every((map) => !map)) return refuse(whyWithout(lacking))

  const decoded = stack.replace(places, (place, build: string, file: string, line, column) => {
    const map = maps.get(join(build, mapsFolder, `${file}.map.gz`))
    // Browsers count columns from 1, source maps from 0.
    const at =
      map && originalPositionFor(map, { line: +line || 1, column: Math.max(0, column - 1) })
    return at?.source ? `${at.source}:${at.line}:${at.column + 1}` : place
  })
  return { decoded, undecoded: lacking.size > 0 ? whyWithout(lacking) : '' }
}

const whyWithout = (builds: Set<string>) =>
  `没有这些构建的源码映射（已被清理，或发布时没有带上）：${[...builds].join('、')}`

const mapIn = (path: string) =>
  readFile(path)
    .then(async (packed) => new TraceMap((await promisify(gunzip)(packed)).toString()))
    .catch(() => undefined)
